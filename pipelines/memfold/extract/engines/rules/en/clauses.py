"""Where a note begins and ends in an English sentence. Knows no kinds of notes."""

from __future__ import annotations

from memfold.extract.engines.rules.rule import Clauses, compiled

# Where a clause begins before a match, and where a request takes over after it.
_STARTS = compiled(
    r"[,;:]\s+(?!\d{4}\b)(?:(?:and|but|so|because|since|although|though|while|as|which)\s+)?"
    r"|\s[–—-]\s|(?-i:(?<=\s)[a-z][\w'-]*)\s(?:and|but|so|because|although|though)\s+(?=(?:I"
    r"|we|my|our|I'm|I've|I'd|we're|we've|it|the)\b)"
)
_ENDS = compiled(
    r"""[,;]?\s+(?:(?:and|so|but|then|or|now)\s+)*(?:can|could|would|will)\s+(?:you|someone|anyone
      |anybody|somebody)\b
      |[,;]\s+(?:(?:and|so|but|then|or|also)\s+)*(?:how|what|which|where|who|why|is\ there
        |are\ there|do\ you|does\ (?:this|that|it)|did|should\ (?:I|we)|any\ (?:tips|ideas|advice
        |suggestions|thoughts)|can\ (?:I|we)|could\ (?:I|we)|please|help\ me|I\ (?:want
        |need)\ (?:help|to\ know|you\ to)|I'd\ like\ (?:help|to\ know)|I'm\ (?:not\ sure
        |wondering))\b
      |,?\s+(?:but|and|so)\s+(?:now\s+)?(?:I'm\ (?:having|still|not\ sure|unsure|trying|facing
        |looking|wondering|hoping|curious)|I\ (?:want|need)\ to\b|I've\ been\b|I'd\ like\b
        |I\ am\ (?:having|trying)|was\ that\b|is\ (?:this|that|it)\b)
      |,\s+(?:was\ that|will\ this|is\ (?:this|that|it))\b|\s+(?:and|so)\s+(?:how|what|which
        |I\ was\ wondering|I'm\ wondering)\b|\?"""
)
# A clause that needs the one before it, because its object is "it", "one" or an amount ("…, and we agreed on $500"), or
# is missing ("…, which I agreed to"). Nine conversations held 20 such decisions and facts.
_POINTS = compiled(
    r"""^(?:(?:and|but|so|also)\s+)?(?:I|we)(?:['’](?:ve|d|m|re|ll)|\ (?:have|had|am|are|will))?\ (?:
      (?:(?!(?:that|this|if|when|because|how|what|whether|and|but|so|which|the|an?|my|our|your|his|her
        |their)\b)[\w-]+\ ){1,4}?
      (?:(?:it|them)\b(?!['’]|\ (?:is|was|are|were|will|would|has|have|can|could|should|makes?|seems?|might|may|up)\b)
        |(?:one|this|that|these|those)(?=\W*$|\ (?:before|yet|on|in|at|with|for|because|by|instead|so|either)\b))
      |(?:\w+ly\ |just\ |already\ )*(?:agreed|committed|switched|opted|decided|settled|resolved|chose|chosen|picked|went
        |selected|finali[sz]ed|turned\ down|declined|rejected|accepted|compromised)
        (?:\ (?:to|on|with|for|against|upon|at)(?:\ [$€£]?\d[\d.,]*%?(?:\ [\w-]+){0,3})?)?\W*$)"""
)
CLAUSES = Clauses(_STARTS, _ENDS, _POINTS)
