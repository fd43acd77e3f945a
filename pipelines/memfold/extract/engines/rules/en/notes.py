"""Notes that are no orders: what is excluded, decided, preferred, put right, required, asked and told. A table."""

from __future__ import annotations

from memfold.extract.engines.rules.rule import Rule, at_words, compiled
from memfold.text.calendar import MONTH, WEEKDAY
from memfold.text.cued import cued
from memfold.text.terms import lexicon

# A character of a clause. A comma or point before a digit ends no clause: "1,500", "5.0".
_IN_CLAUSE = r"(?:[^,.;!?]|[,.](?=\d))"
# "Since" and "as" give a reason only before a clause. Otherwise they give a time or a role ("since April 3", "as the
# first step"), as in 3 of 48 reasons.
_CLAUSE = (
    r"(?=(?:(?:I|it|we|they|he|she|you|there|this|that)(?:['’]\w+)?\ (?!(?:was\ (?:an?|\d|young|little|born)"
    r"|mentioned|said|told|discussed|noted|described|wrote|started|began|moved|joined|left|got|met|arrived|last"
    r"|first)\b)\w"
    r"|(?:(?!(?:and|but|so|or|when|which|who)\b)[\w'’-]+\ ){1,5}?(?:is|are|was|were|has|have|had|can|can't|cannot|could"
    r"|will|won't|would|do|does|don't|doesn't|didn't|needs?|makes?|seems?|takes?|gives?|gets?|works?|supports?|offers?"
    r"|provides?|helps?|allows?|uses?|costs?|lacks?|keeps?|lets?|runs?)\b))"
)
# Words that give a reason. A purpose ("to save money", "for better speed") is no reason, and the note's text holds it
# anyway: 31 of 48 "because: …" were purposes.
_BECAUSE = compiled(
    rf"""\b(?:because(?:\ of)?|since\ {_CLAUSE}|as\ {_CLAUSE}|owing\ to|thanks\ to
      |due\ to(?!\ (?:be|start|end|arrive|expire|finish|launch|ship|\d|{MONTH})\b))
      \s*((?:(?!,\ (?:and|but|so|now|then|while|was|is|can|how|what|which|I'm|I)\b)(?:[^.;!?]
        |\.(?=\w))){{3,160}})"""
)
# What a preference is about.
_TOPIC = (
    compiled(rf"\bwhen\ it\ comes\ to\s+({_IN_CLAUSE}{{2,80}})"),
    compiled(
        r"\b(?:my|our)\s+(?:\w+\s+)?(?:favou?rite|preferred"
        rf"|go-to)\s+([a-z]{_IN_CLAUSE}{{1,60}}?)\s+(?:is|are|was|has)\b"
    ),
    compiled(
        rf"""(?<!preference\ )\bfor\s+(?!(?:better|clearer|faster|easier|simpler|cheaper|more
          |improved|its|their|the\ sake|now|me|a\ while)\b)
          (?:my\s+|our\s+|the\s+)?({_IN_CLAUSE}{{3,60}}?)(?=[,.;!?](?!\d)|$|\s+(?:because|since|over|rather|due
            |and|but|as|so|to|using|with|without)\b)
         |\b(?:when(?:ever)?|while)\s+(?:I'?m?\s+|we'?re?\s+)?(?:am\s+|are\s+)?([a-z]{_IN_CLAUSE}{{2,80}})"""
    ),
)
# The option that is excluded.
_OPTION = (
    compiled(
        r"""\b(?:not\ (?:be\ )?using|ruled?\ out|ruling\ out|decid(?:ed|ing)\ (?:against|not\ to)
      |reject(?:ed|ing)|discard(?:ed|ing)|dismiss(?:ed|ing)|abandon(?:ed|ing)|ditch(?:ed|ing)
      |scrapp(?:ed|ing)|gave\ up\ on|giving\ up\ on|mov(?:ed|ing)\ away\ from
      |(?:won't|not\ going\ to|can't|cannot|will\ not)\ (?:be\ )?(?:using|use|go(?:ing)?\ (?:with
        |for))|turn(?:ed|ing)\ down|not\ going\ with)\s+(?:the\ idea\ of\ |on\ |the\ 
        |using\ )?(.{2,80}?)(?=\s+(?:because|since|due|as|so|after|for|when|but|and|to
        |in\ favou?r)\b|[,.;!?](?!\d)|$)
     |^(?:so\ |and\ |but\ |I\ think\ )?(?!I\b|we\b)(.{2,60}?)\s+(?:won't|will\ not|doesn't|does\ not
       |isn't\ going\ to|didn't|(?:was|were|has\ been|got)\ (?:ruled|rejected|discarded|dismissed
       |abandoned|ditched|scrapped|turned|declined)|is\ out\ of\ the\ question|is\ off\ the\ table
       |is\ not\ an\ option|isn't\ an\ option)
     |\b(?:over|rather\ than|instead\ of)\s+(.{2,60}?)
       (?=\s+(?:because|since|due|as|so|for|to|after|when|but)\b|[,.;!?](?!\d)
       |$)"""
    ),
)
_ADVERB = (
    r"(?:(?:really|just|much|still|also|generally|usually|strongly|definitely|absolutely"
    r"|typically|personally|always|often"
    r"|actually|particularly|especially|truly|kinda|kind\ of|very|tend\ to|do|now"
    r"|sometimes|currently|recently|finally"
    r"|already|ultimately|both|initially)\s+)*+"
)

# What a wish for the thing at hand is told by: a thing that was offered, what is now, or a time or a price to give up.
_AT_HAND = (
    # What is done once: "I'd rather call the release 2.0".
    r"\b(?:I|we)(?:'d|\ would)\ (?:really\ |much\ |just\ )*rather\ (?:(?:name|rename|title|paint|postpone|reschedule"
    r"|(?:call|book|move)\ (?:(?:the|my|our)\ (?:\w+\ )?(?:release|baby|dog|cat|band|team|product|project|hotel|flight"
    r"|table|train|party|meeting|appointment|trip)|it|him|her)|the\ (?:\d\w*|\w+\ one))\b"
    rf"|(?:not|wait|stay|leave|{WEEKDAY})(?=\W*$|[.,;!?]))"
    r"|\b(?:I|we)(?:'d|\ would)\ (?:really\ |much\ |just\ )*rather\ (?:just\ )?"
    r"(?![^.;!?]*\b(?:always|usually|generally|normally|in\ general|every|whenever|never)\b)"
    r"(?:(?:have|get|take|keep|buy|order|try|go\ for)\ (?:something|anything|ones?|this|that|these|those"
    r"|(?:an?|the|some)\ (?:[\w-]+\ ){0,2}?ones?|the\ (?:old|new|other|first|second|last|next|\w{3,}er))\b"
    r"|(?:lose|wait|waste|spend|pay|take|give\ up)\ (?:another\ |an?\ |\d+\ |(?:one|two|three|four|five|six|ten"
    r"|twenty|thirty)\ |some\ |a\ (?:few|couple\ of)\ )(?:more\ |extra\ )?(?:seconds?|minutes?|mins?|hours?|days?"
    r"|weeks?|months?|euros?|dollars?|pounds?|fine|fee)\b(?!\ (?:a|per|each|more|extra)\b)"
    r"|[^.;!?]*\b(?:it(?!\ (?:short|simple|brief|plain))|this|now|tonight|today|tomorrow|again|there|right\ away"
    r"|for\ once|(?:then|please)(?=\W*$))\b)"
)

# One thing is left for another, both called by name: "dropped Redis for Valkey", not "dropped the kids at school".
_LEFT_FOR = (
    r"(?:dropped|swapped|replaced)\s+(?-i:[A-Z])[\w.+#-]*(?:\s+(?-i:[A-Z])[\w.+#-]*)?"
    r"\s+(?:for|with|in\ favou?r\ of)\s+(?-i:[A-Z])[\w.+#-]++(?!['’]s)"
)

# These state no lasting taste: the liked thing has no name ("I love to", "a huge fan of it"), is a single one ("I love
# the thought", "my favourite was when …"), or the wish is a passing one ("I don't want to burden him"). Together with
# the next pattern they were 45 of 119 preferences in five conversations.
_LIKES = r"(?:love|like|enjoy|hate|dislike|adore|detest|loathe|favou?r|prefer)"
_I_LIKE = rf"(?:I|we)(?:['’]\w+)?\ (?:\w+\ ){{0,3}}?(?:{_LIKES}|fan\ of|fond\ of|keen\ on|leaning\ towards?)"
# "I prefer it short" is a wish for answers.
_I_ENJOY = _I_LIKE.replace("|prefer", "")
_NAMELESS = r"(?:it|them|him|her|this|that|these|those|me|us|you|here|there)"
_NO_TASTE = (
    rf"{_I_LIKE}(?:\ to)?(?=\W*$|[.!?;]|,(?!\ (?:{_LIKES}|and)\b)"
    r"|\ (?:is|are|was|were|makes?|made|too|so\ much|a\ lot|every|it\ (?:when|if|how))\b)"
    rf"|{_I_ENJOY}\ (?:[a-z]+ing\ (?:up\ |to\ |for\ |with\ )?)?(?:{_NAMELESS}(?!\ over\b)\b"
    r"|(?:his|her|their|your|its)\b|when\ you\b)"
    rf"|{_I_LIKE}\ the\ (?:[\w-]+\ (?:and\ (?:the\ )?|,\ )?){{0,2}}?(?:colou?rs?|textures?|thought|gesture|theme|vibes?"
    r"|freedom|connection|feeling|design|contrast|message|photos?|pics?|pictures?|views?|energy|enthusiasm|attitude"
    r"|name"
    r"|title|story|scenery|spirit|confidence|poses?)\b(?!\ of\ (?!this|that|it)|\ (?:app|coding|scheme)\b"
    r"|\ in\ (?!(?:your|this|that|the|it)\b))"
    r"|(?:my|our)\ (?:\w+\ )?favou?rite\ (?:[\w-]+\ ){0,3}?(?:was|were|is\ when|has\ to\ be\ when)\b"
    r"|(?:I|we)\ (?:don't|do\ not|never|didn't)\ (?:\w+\ )?want\ to\ (?:burden|bother|lose|miss|let|hurt"
    r"|disappoint|introduce|ruin|spoil|offend|upset|worry|rush|forget|mess|risk|jinx|push|pressure|overwhelm|make"
    r"|come\ across|get|fail|break)\b"
    r"|(?:I|we)\ (?:don't|do\ not|never|didn't)\ (?:\w+\ )?want"
    r"\ (?:him|her|them|(?:the|my|our)\ (?:[\w-]+\ ){1,3}?)\ ?to\ (?:worry|suffer|feel|think|miss|lose|know|find\ out"
    r"|get|be\ (?:sad|upset|hurt|worried|alone|disappointed))\b"
    r"|(?:I|we)\ (?:don't|do\ not|never)\ (?:\w+\ )?want\ to\ (?:ever\ )?(?:[a-z]+\ ){1,2}(?:it|this|that|him|her"
    r"|them)(?:\ (?:ever|again))*(?=\W*$|[.,;!?])"
    r"|I\ (?:\w+\ )?prioriti[sz]ed\b|I(?:'m|\ am)\ leaning\b[^,;]*\bfor\ now\b"
)
# A favourite mentioned in passing, or a single thing: "might be my new favourite", "it's one of my favourites", "a cup
# with my favourite quote".
_FAVOURED = (
    r"\b(?:(?:might|could|may|must)\ be|was|were|been|becom(?:e|ing)|with|by|about|(?<!one\ )of|cooked|made|bought"
    r"|brought|wore|played|baked|lost|broke|found|saw|got|started|finished|(?:it|this|that|they|these|those|he|she"
    r"|here)"
    r"[\"”]?(?:['’](?:s|re)|\ (?:is|are|was|were)))\ (?:one\ of\ )?(?:my|our)\ (?:\w+\ )?(?:favou?rite|go-to)\b"
)

RULES: tuple[Rule, ...] = (
    # ------------------------------------------------------------------ excluded
    Rule(
        "excluded",
        lexicon(
            "ruled rule ruling against rejected reject rejecting discarded dismissed "
            "abandoned ditched scrapped gave giving away won't "
            "isn't not table question turned work doesn't decided chose chosen opted picked declined option "
            "crossed struck settled"
        ),
        cued(
            at_words(
                r"""(?:I|we|they)(?:'ve|'m|'re|\ have|\ had|\ am|\ are|\ also)*\s+(?:\w+ly\s+
                  |already\s+|just\s+)?(?:ruled\ out|ruling\ out|decided\ (?:against|not\ to)|rejected
                  |discarded|dismissed|abandoned|ditched|scrapped|gave\ up\ on|given\ up\ on
                  |giving\ up\ on|moved\ away\ from|moving\ away\ from|turned\ down|declined)\b
                  |(?:I|we)(?:'m|'re|\ am|\ are|\ will|\ won't|'ll)?\s*(?:not\ (?:going\ to\ (?:use
                    |go\ with|go\ for|consider|buy)|going\ with|be\ using|using)|won't\ (?:be\ using|use
                    |go\ with|go\ for|consider))\s+\w
                  |[A-Z\d][\w.+#-]*(?:\s+\w+){0,3}\s+(?:won't|will\ not|doesn't|does\ not|didn't
                    |isn't\ going\ to)\s+(?:work|fit|suit|scale|cut\ it)\b(?=.{0,40}?\b(?:because|since
                    |due\ to|as|for\ (?:us|me|our|my))\b)
                  |(?:is|are)\s+(?:out\ of\ the\ question|off\ the\ table|not\ an\ option
                    |no\ longer\ an\ option)\b
                  |(?:crossed|struck)\s+[^.,;]{2,60}?\ off\ (?:the|my|our)\ list\b
                  |^no\ (?!problem|worries|doubt|wonder|need)
                    [^,;:]{2,60},\ (?:that(?:'s|\ is)|it(?:'s|\ is))\ (?:settled|final|decided)\b
                  |(?:was|were|been|got)\s+(?:ruled\ out|rejected|discarded|dismissed|abandoned
                    |ditched|scrapped|turned\ down|declined)\b
                  |(?:I|we)(?:'ve|\ have)?\s+(?:\w+ly\s+)?(?:chose|chosen|opted\ for|picked|went\ with
                    |selected|decided\ on)\s+.{2,80}?\s(?:over|rather\ than|instead\ of)\s+\w"""
            ),
            "ruled out|ruling out|decided|rejected|discarded|dismissed|abandoned|ditched|scrapped| up on|away from|"
            "turned down|declined|not going|be using|not using|won't|will not|doesn't|does not|didn't|isn't going|"
            "out of the question|off the table|an option|crossed|struck|settled|final|chose|opted for|picked|"
            "went with|selected",
        ),
        unless=compiled(
            r"\b(?:should|could|can|if|whether|do|did)\s+(?:I|we)\s+(?:\w+\s+)?(?:rule"
            r"|reject|discard|abandon|ditch|drop)|^(?:have|has|had|did|were|was)\b"
            r"|\bhaven't\s+(?:ruled|decided|rejected)|\b(?:not|never)\s+(?:ruled\ out"
            r"|rejected|dismissed)|\b(?:if|unless|in\ case)\b.{0,30}\b(?:won't|doesn't)\b"
            r"|\b(?:it|this|that|code|something|link|button|page|script|function"
            r"|app)\s+(?:won't|doesn't|didn't|does\ not|will\ not)\ work\b"
            r"|\bapplication\b.{0,30}\bwas\ rejected|\b(?:rejected|declined"
            r"|turned\ down)\ by\b"
        ),
        about=_OPTION,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ decision
    Rule(
        "decision",
        lexicon(
            "decided chose chosen opted settled picked went going go committed finalized "
            "finalised agreed accepted compromised switching decision switched selected let's resolved "
            "dropped swapped replaced"
        ),
        compiled(
            rf"""\b(?:I|we)(?:'ve|\ have|'d|\ had)?\s+{_ADVERB}(?:decided|chose|chosen|opted
              |settled\ on|picked(?!\ up)|went\ with|committed\ to|compromised\ (?:on|with)
              |accepted\ (?:the|an?|my|our|their|his|her|[\w-]+['’]s)\ (?:[$€£\w,./-]+\ ){{0,4}}?
                (?:offer|job|role|position|promotion|invitation|contract|proposal|deal|terms|place|bid|quote)\b
              |finali[sz]ed|agreed\ (?:to|on|with|that)
              |resolved\ to|selected|switched\ (?:to|from|over))\b
              |(?:^|\b(?:I|we)(?:'ve|\ have)?\s+){_ADVERB}{_LEFT_FOR}
              |\b(?:I'm|we're|I\ am|we\ are)\s+{_ADVERB}(?:going\ (?:with|for)|switching\ (?:to
                |over|from)|settling\ on|opting\ for|committed\ to)\b
              |\b(?:I'll|we'll|I\ will|we\ will|let's|I\ think\ I'll)\s+{_ADVERB}(?:go\ (?:with|for
                |ahead\ with)|opt\ for|settle\ on|stick\ (?:with|to)|switch\ (?:to
                |over))\s+(?!(?:this|that|it|your|the\ (?:plan|flow|suggest))\b)\w
              |\b(?:my|our|the)\ (?:final\ )?decision\s+(?:is|was|to)\b|\bmade\s+(?:the|a|my
                |our)\s+(?:final\s+)?(?:decision|choice)\s+(?:to|on|for)\b"""
        ),
        unless=compiled(
            r"\b(?:haven't|hasn't|not\ (?:yet\ )?|can't|if|whether|once|when|before|until"
            r"|should|which|what|how|wish|help\ me|trying\ to)\b(?:\s+\w+){0,3}\s+(?:decid"
            r"|chose|choose|opt|settl|pick|commit|finali|agreed|accept|compromis|go\ with|go\ for"
            r"|switch|dropp|swapp|replac)"
            r"|^\W*(?:have|has)\ (?:I|we)\b"
            r"|^\W*(?:what|how|which|should|did|do)\b|\bgoing\ for\ (?:a\ (?:walk|run|swim"
            r"|drive|hike)|it)\b|\bcommitted\ to\ (?:improving|helping|learning|my)"
        ),
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ preference
    Rule(
        "preference",
        lexicon(
            "prefer preferred prefers preferring rather favourite favorite favour favor "
            "preference preferences go-to like love hate dislike enjoy adore detest fan fond "
            "loathe want stand leaning lean tend keen inclined focusing favored works suits "
            "work suit best prioritize prioritized prioritizing beats happiest day stick stay go"
        ),
        at_words(
            rf"""(?!{_NO_TASTE})(?:(?:I|we)(?:'d|\ would)?\s+{_ADVERB}prefer(?:red)?\b(?!\s+not\ to\ say)
              |(?:I|we)(?:'d|\ would)\s+{_ADVERB}rather\b
              |(?:my|our)\s+(?:own\s+|personal\s+|strong\s+|general\s+|all-time\s+|current\s+
                |absolute\s+|\w+\s+)?(?:favou?rite|preference|preferred|go-to)\b
              |as\ I\ prefer\b|(?:a|my|our)\s+(?:strong\s+|personal\s+)?preference\s+(?:for|is
                |to)\b|preferr(?:ing|ed)\s+(?:to|\w+ing|the|a)\b.{{2,60}}\b(?:over|rather\ than
                |instead\ of)\b
              |I(?:'m|\ am)\s+{_ADVERB}(?:not\s+)?(?:a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of
                |partial\s+to|keen\s+on|inclined\s+(?:to|towards?)|leaning\s+towards?
                |more\s+comfortable\s+with|more\s+of\s+an?)\b
              |(?:I|we)\s+{_ADVERB}(?:love|like|enjoy|hate|dislike|adore|detest|loathe|favou?r
                |can't\ stand|cannot\ stand|lean\ towards?|gravitate\ towards?
                |prioriti[sz]ed)\s+(?!(?:it|this|that|the\ (?:idea|plan|approach|sound|way|look
                |suggestion|breakdown|explanation|structure|example|table|detail)|how|your|these
                |those|what|everything|all)\b)\w
              |(?:I|we)\s+(?:don't|do\ not|never|didn't)\s+{_ADVERB}(?:like|enjoy|want|love
                |care\ for)\s+(?!(?:it|this|that|any\ of)\b|to\ (?:lose|make|get|overdo|rush|miss
                |end|mess|forget|break|risk|be|come|feel)\b)\w
              |(?:works?|suits?)\s+(?:best|better)\s+for\s+me\b
                |reach\ me\ best\ (?:by|on|at|through)\b|nothing\ beats\s+(?!me\b|us\b)\w
              |I(?:'m|\ am)\ (?:always\ )?happiest\ with\b|I(?:'d|\ would)\ take\ .{{2,40}}\ any\ day\b
              |(?:^for\ [\w\ ]{{2,30}},?\ I|I\ (?:always|usually|normally))\ (?:stick\ (?:to|with)
                |stay\ with|go\ for)\s+(?!(?:\d|days|weeks|months
                |you|him|her|them|it|my\ (?:\w+er|parents|family|friends?)|a\ (?:walk|run|swim|drive))\b)\w)""",
            first="afimnoprsw",
        ),
        unless=compiled(
            r"\b(?:should|do|would|did|can|could|might|if|when|whether|what\ if|why\ (?:do"
            r"|would))\s+(?:I|we)\s+(?:\w+\s+)?(?:prefer|like|love|want|enjoy|favou?r"
            r"|rather)|^\W*(?:what|which|do\ you|would\ you)\b|\bfeels?\ like\b"
            r"|\bI\ (?:don't|do\ not)\ want\ to\ (?:bother|be\ rude|sound|waste|take\ up)"
            rf"|{_AT_HAND}|{_FAVOURED}"
            # What is wished of one order that went wrong.
            r"|\bI(?:'d|\ would)\ (?:\w+ly\ |much\ )?(?:rather\ (?:just\ )?(?:have|get|take|accept|receive)|prefer)"
            r"\ (?:(?:an?|the|my|some)\ )?(?:\w+\ ){0,2}?(?:replacement|refund|exchange|voucher|repair|money\ back"
            r"|call\ ?back|(?:store|shop)\ credit|gift\ card|coupon|reimbursement)\b(?!\ cards?\b)"
            r"(?![^.;!?]*\b(?:always|usually|generally|normally|in\ general|every|whenever|never)\b)"
            r"|\bI(?:'d)?\ (?:love|like)\ (?:you|to\ (?:know|hear|see|get|understand|learn"
            r"|discuss|ask))\b|\bI\ like\ (?:you|him|her|them)\b|\b(?:how|what"
            r"|which)\ (?:can|do|should|could|would)\ (?:I|we)\b|\bpreference\ statement"
            r"|\b(?:his|her|their)\ (?:favou?rite|preferred|preference)"
        ),
        about=_TOPIC,
        reason=_BECAUSE,
    ),
    Rule(
        "preference",
        lexicon("rather instead without over"),
        compiled(
            r"""\b(?:I|we|I'm|we're|I've|we've|I'd|my|our)\b
              .{3,160}?\b(?:rather\ than|instead\ of|as\ opposed\ to)\s+\w"""
        ),
        unless=compiled(
            r"\b(?:should|why|got|gives?|gave|getting|returns?|returned|shows?|error|wrong"
            r"|accidentally|mistake|confused|mistakenly|ended\ up|sure|stuck|tried"
            r"|thinking|considering|planning|trying|see\ if|noticed|decide|struggling|wondering|decided|chose|opted"
            r"|went|if\ I|mis-?[a-z]{3,})\b"
            r"|^\W*(?:what|which|how|is|are|do|does|can)\b"
        ),
        about=_TOPIC,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ correction
    Rule(
        "correction",
        lexicon(
            "actually meant correction wrong misspoke scratch sorry incorrect longer changed "
            "moved updated mistake mistaken instead increased decreased reduced pushed "
            "rescheduled postponed extended revised misremembered switched now raised "
            "lowered supposed correct not"
        ),
        cued(
            at_words(
                r"""^(?:oh\s+|sorry,?\s+|wait,?\s+|oops,?\s+|no,?\s+|but\s+)*(?:actually
                  |correction)\b[,:]?\s+(?!can|could|how|what|i\ (?:want|would|need|think|have\ a)
                  |we\ can|let|you|do\b)\w
                  |I\s+(?:actually\s+)?(?:meant|misspoke|misremembered|was\ (?:wrong|mistaken)
                    |made\ (?:a|an)\ (?:mistake|error)\ (?:earlier|before|when\ I
                    |about))\b(?!\s+to\ (?:ask|say\ thank))
                  |scratch\s+that\b|I\s+(?:need|have|want|would\ like)\s+to\s+correct\b
                  |(?:that's|that\ is|that\ was|you're|this\ is)\s+(?:actually\s+)?(?:wrong|incorrect
                    |not\ (?:right|correct|what\ I\ (?:said|meant)))\b
                  |(?:is|are|was|were|am|'m|'s|'re|do|does|don't)\s+no\s+longer\b
                    |no\s+longer\s+(?:need|use|using|want|have|work|plan|live)\w*
                  |(?:has|have|had|was|were|got|been|just|recently|I|we|'ve)\s+(?:been\s+|just\s+
                    |since\s+|now\s+|recently\s+)*(?:moved|changed|updated|pushed|rescheduled|postponed
                    |extended|revised|increased|decreased|reduced|raised|lowered|switched|adjusted
                    |brought\ forward|cut)\b(?:\s+(?:[^\s,;]|,(?=\d))+){0,8}?
                    \s+(?:from\ (?:[^,;]|,(?=\d)){1,40}\ to\s+\S
                      |(?:to|until|back\ to)\ (?:about\ |a\ |an\ |the\ )?(?:[$€£]?\d|(?-i:[A-Z])))
                  |not\s+(?:[\w.$€£¥%]|,(?=\d))+,?\s+but\s+(?!also)(?:[\w.$€£¥%]|,(?=\d))+\s*$
                    |it's\s+(?:[^,.;]|[,.](?=\d)){1,40},\s+not\s+(?!(?:just|only|sure)\b)
                     (?:[\w\ $€£¥%]|[,.](?=\d)){1,30}\W*$"""
            ),
            "actually|correction|meant|misspoke|misremembered|wrong|mistake|error|scratch|correct|not right|what i |"
            "longer|moved|changed|updated|pushed|rescheduled|postponed|extended|revised|increased|decreased|reduced|"
            "raised|lowered|switched|adjusted|brought|cut|but|it's",
        ),
        unless=compiled(
            r"^\W*(?:how|what|should|can|is|are|do|does|why)\b|\bif\ I('m|\ am"
            r"|'m\ not)?\ (?:wrong|mistaken)\b|\bwhat('s|\ is)?\ wrong\b|\b(?:help|want|need"
            r"|trying)\b.{0,20}\b(?:updated|changed)\b"
            # "If we moved to May 5, who would help?" changes nothing.
            r"|^\W*(?:(?:and|but|so|what)\ )?if\ (?:[\w']+\ ){1,4}?"
            r"(?:moved|changed|updated|pushed|rescheduled|postponed|extended|revised|increased"
            r"|decreased|reduced|raised|lowered|switched|adjusted|cut)\b"
        ),
        least=40,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ constraint
    # "Budget: 4000 EUR". Beside other lines, such as "Project: Larkspur", it is of what they name, and would take the
    # place of another project's.
    Rule(
        "constraint",
        lexicon("budget deadline"),
        compiled(
            r"""^\W*(?:(?:my|our|the|new|total|overall|max|maximum|final)\s+)*(?:budget|deadline)\s?[:=]\s*
              (?:(?:now|max|up\ to)\s+)?[$€£¥]?\s?\d"""
        ),
        whole=True,
        alone=True,
    ),
    Rule(
        "constraint",
        lexicon(
            "must cannot can't budget limit limited cap maximum minimum most least under "
            "within below exceed exceeding more less allowed only deadline required "
            "requirement requires allergic vegetarian vegan gluten constraint restricted "
            "mandatory due needs has have constraints afford"
        ),
        cued(
            compiled(
                r"""\b(?:(?:budget|spending\ limit|limit|cap|ceiling|deadline|quota|constraint|maximum
                  |minimum|requirement|word\ count)\b(?:(?:\s+\w+){0,4}?\s+(?:is|are|of|at|(?:up\ |down\ )?to|was
                    |for|=|:)|,\ it(?:['’]s|\ is)\ now\b)\s*(?:\w+\s+){0,2}?[$€£¥]?\d
                  |\d[\w,.-]*\s+(?:word|character|page
                    |minute|hour|day|week)s?\s+(?:limit|cap|maximum|minimum|deadline)\b
                  |(?:under|below|within|no\ (?:more|less|fewer|later)\ than|at\ (?:most|least)
                    |not\ exceed|exceed(?:ing)?|limited\ to|restricted\ to|capped\ at|maximum\ of
                    |minimum\ of|a\ max\ of|less\ than|fewer\ than)\s+(?:an?\ |the\ |my\ 
                    |our\ )?(?:[$€£¥]?\d[\d,.]*\s?(?:[$€£¥%]|[A-Za-z]+)|(?:one|two|three|four|five|six
                    |seven|eight|nine|ten|twelve|twenty)\s[a-z]+)
                  |(?:must|has\ to|have\ to|needs\ to|cannot|can't|may\ not|should\ not|mustn't
                    |shouldn't)\s+(?:also\s+|only\s+|always\s+|never\s+|not\s+)?(?:be\s+(?:\w+\s+)?(?:by
                    |before|under|within|at|in|on|compatible|compliant|able|less|more)|exceed|stay
                    |remain|fit|support|comply|include|contain|miss|go\ over|run\ (?:on|under|in|within)
                    |cost|finish|submit|meet|eat|afford)\b
                  |(?:I'm|I\ am|we're|we\ are|is|are|not)\s+(?:not\ allowed|only\ allowed
                    |allowed\ only|required)\s+to\b|(?:I|we)\s+(?:only\ have|can\ only|can't\ afford
                    |cannot\ afford)\b
                  |(?:I'm|I\ am|he's|she's|is|are)\s+(?:severely\s+|strictly\s+)?(?:allergic
                    |vegetarian|vegan|lactose|gluten|diabetic|coeliac|celiac)\b|due\s+(?:by|on
                    |in)\s+\S)|[$€£¥]\d[\d,.kKmM]*\s+(?:budget|limit|cap)\b"""
            ),
            "budget|limit|cap|ceiling|deadline|quota|constraint|maximum|minimum|requirement|word count|under|below|"
            "within|no more|no less|no fewer|no later|at most|at least|exceed|restricted|a max of|less than|"
            "fewer than|must|has to|have to|needs to|cannot|can't|may not|should not|shouldn't|allowed|required|"
            "only have|can only|allergic|vegetarian|vegan|lactose|gluten|diabetic|coeliac|celiac|due",
        ),
        unless=compiled(
            r"\b(?:measured|completed|scored|achieved|noticed|decreased|dropped|spik\w+|solved"
            r"|probability|finished|verif(?:y|ied)|indicating|less\ than\ 0|as\ per"
            r"|tolerance\ to)\b|\b(?:under|within)\ \d[\d,]*\s(?:concurrent|simultaneous"
            r"|active|virtual)|\bunder\ load|\bcurrently\b.{0,20}\b(?:at|is)\b|\bI'm\ up\ to\b"
            r"|\baccuracy\ exceeding|^\W*(?:how|what|why|must\ I|do\ I|is\ it|does|should"
            r"|which|when)\b|\b(?:if|whether)\s+(?:I|we|it)\ (?:must|have\ to|need)"
        ),
        least=30,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ open question
    Rule(
        "question",
        lexicon(
            "sure unsure undecided decided wonder wondering tbd know decide torn debating "
            "figure confused unclear hesitating considering"
        ),
        at_words(
            r"""(?:I'm|I\ am|we're|we\ are|am|still)\s+(?:\w+\s+)?(?:not\s+(?:\w+\s+)?(?:sure
              |certain|clear)|unsure|uncertain|undecided|wondering|torn|debating|hesitating
              |on\ the\ fence|unclear)\b
              |(?:I|we)\s+(?:still\s+|just\s+)?(?:haven't|have\ not|can't
                |cannot)\s+(?:yet\s+)?(?:decided?|figured?\ out|settled|chosen|make\ up\ my\ mind)\b
              |(?:I|we)\s+(?:still\s+)?(?:wonder|don't\ (?:yet\s+)?know
                |do\ not\ know)\s+(?:yet\s+)?(?:if|whether|how|what|which|when|where|who|why)\b
                |still\s+(?:need|have)\s+to\s+(?:decide|figure\ out|work\ out)\b
              |(?:TBD|to\ be\ (?:decided|determined|confirmed))\b|(?:remains?
                |is\ still)\s+(?:unclear|open|undecided)\b|open\s+question\b""",
            first="aiorstw",
        ),
        unless=compiled(
            r"(?:sure|unsure|certain|wondering|know)\b[^,;]{0,24}(?:\b(?:it|them|this|that|one"
            r"|these|there)\b(?:\s+(?:correctly|properly|right|effectively|here|yet|well))?"
            r"|to\ (?:start|begin|proceed|go)(?:\ from\ here)?|where\ I\ went\ wrong.{0,20}"
            r"|sure)\W*$|\b(?:if|whether|that)\s+(?:it's|it\ is|that's|this\ is|I'm"
            r"|they're)\s+(?:the\ |doing\ |a\ |on\ )?(?:it\ |things\ )?(?:\w+\ )?(?:best|right"
            r"|correct|correctly|enough|sufficient|worth|optimal|track|good"
            r"|properly)\b[^,;]{0,24}$|\bif\ you(?:'re|\ are)\s+(?:not\ sure|unsure)"
            r"|\bmake\ sure\b(?!.*\b(?:not|un)\ ?sure\b)"
        ),
    ),
    # ------------------------------------------------------------------ fact about the user, in their words
    Rule(
        "fact",
        lexicon("i'm i am i've name live work born years never old my we've"),
        at_words(
            r"""my\s+(?:full\s+|first\s+|last\s+)?name\s+is\s+\w|I\s+(?:live|lived|work|worked
              |study|studied|teach|was\ born|grew\ up|graduated|majored|speak|own|run)\s+(?:in|as|at
              |for|on|near|with|from|a|an|the|my)\b
              |(?:I'm|I\ am)\s+(?:a|an)\s+(?!(?:bit|little|lot|big|huge|fan
                |loss)\b)(?:[\w-]+\s+){0,3}?[\w-]+|(?:I'm|I\ am)\s+\d{1,2}(?:\s+years?\s+old
                |-year-old|[,.]|$|\s+and\b)|(?:I'm|I\ am)\s+from\s+[A-Z]
              |(?:I|we)(?:'ve|\ have)\s+never\s+\w+|I\s+never\s+\w+(?:ed|t|n)\b
              |I(?:'ve|\ have)\s+(?:now\s+)?(?:been\s+(?:\w+ing|married|employed|here)|worked|lived)\b.{0,40}?\b
               (?:for\s+(?:\w+\s+){0,2}?(?:years|months)|since\s+(?:\d{4}|[A-Z]))|(?:I|we)(?:'ve
                |\ have)\s+(?:already\s+|recently\s+|just\s+)?(?:completed|finished|built|written
                |created|achieved|earned|received|met|joined|started|known)\s+\w""",
            first="imw",
        ),
        unless=compiled(
            r"^\W*(?:how|what|should|do|why)\b|\b(?:if|like)\ (?:I'm|I\ am)\b|\b(?:I'm"
            r"|I\ am)\ an?\ (?:newbie|beginner)?\s*(?:so|,)?\s*(?:sorry|confused)"
        ),
    ),
)
