"""What a summary leaves out of English sentences: openings, courtesies, requests at the end. Knows nothing of what is
kept."""

from __future__ import annotations

from memfold.extract.engines.rules.rule import compiled

# Openings, courtesies and requests that say nothing of the matter; removed from a summary.
_OPENING = r"""^(?:(?:(?:hi|hey|hello|ok(?:ay)?|sure|great|thanks|thank\ you|got\ it|sounds\ good|hmm+|well|so
      |perfect|awesome|yes|yeah|no\ problem|alright)(?:\ (?:there|so\ much|a\ lot|again
      |for\ [^,.!]{1,60}))?[,.!]*\s+)+
      |(?:so\ |and\ |also\ )?(?:I'm|I\ am|I've\ been|we're)\s+(?:just\ |currently\ 
        |also\ )?(?:kinda\ |kind\ of\ |a\ bit\ |really\ )?wondering\ (?:if|about)\s+
      |(?:can|could|would|will)\s+(?:you|someone|anyone)\s+(?:please\ |also\ )?(?:help\ me\ (?:to\ 
        |with\ |out\ with\ |understand\ |figure\ out\ )?|explain\ |show\ me\ |tell\ me\ 
        |walk\ me\ through\ |provide\ |give\ me\ )?)"""
OPENING = compiled(_OPENING)
# A sentence that ends in a request holds one of `_CLOSING`, or has one of `_ASKED` among its last characters.
# `NOISE` looks for the request at every place: 38 us per sentence, where `OPENING` takes 1.
_CLOSING = (
    *(f"any {what}" for what in ("ideas", "tips", "thoughts", "suggestions", "advice")),
    *(f"does {what}" for what in ("this", "that", "it")),
    "what do you think",
    "let me know",
)
# The last letter of can, could, would or will, and who is asked.
_ASKED = tuple(f"{letter} {who}" for letter in "ndl" for who in ("you", "someone", "anyone"))
# "could someone please explain us out with these?" is the longest request of them.
_AT_THE_END = 60


def closes(text: str) -> bool:
    """Whether a sentence may end in a request, which `NOISE` removes. (`NOISE` also takes "thiſ" for "this".)"""
    lower = text.lower().rstrip(" ,，")
    end = lower[-_AT_THE_END:]
    return any(map(lower.__contains__, _CLOSING)) or any(map(end.__contains__, _ASKED))


NOISE = compiled(
    rf"""{_OPENING}
      |,?\s*(?:(?:and|so|but)\s+)?(?:can|could|would|will)\s+(?:you|someone
        |anyone)\s+(?:please\ )?(?:help|assist|guide|advise|explain|review|assist)?\s*(?:me
        |us)?\s*(?:out)?\s*(?:with|on)?\s*(?:that|this|it|these)?\s*\??$
      |,?\s*(?:(?:and|so)\s+)?(?:what\ do\ you\ think|does\ (?:this|that|it)\ (?:sound|look
        |make\ sense|work)[^?]*|let\ me\ know[^?.]*|any\ (?:ideas|tips|thoughts|suggestions
        |advice))\??$"""
)
# Possessive: courtesies in a row are read one way only, or a long run of them would be tried in every way.
BARE = compiled(
    r"""^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|thanks|thank\ you|great|perfect|awesome|cool|nice|got\ it
      |hmm+|alright|hi
      |sounds\ (?:good|great|perfect)|hello|hey|no\ problem|will\ do|exactly|right|bye|so\ much
        |very\ much|a\ lot|again
      |there)\b[\s,.!:]*+)*+(?:here(?:'s|\ is)\ (?:my|the|what)\ (?:current\ )?(?:code|draft)[^.]*\.?)?$"""
)
