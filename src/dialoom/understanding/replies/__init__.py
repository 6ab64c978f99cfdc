"""What the words of a reply say beside its values: a plain yes or no, doubt, a change, a wish. Which question and which
conversation is meant is left to the engine (flow-language.md section 5, rule 4).
"""

from dialoom.understanding.replies.phrases import DAY, GappedPhrases, Phrases, folded_words
from dialoom.understanding.replies.reply_words import ReplyWords, reply_words

__all__ = ["DAY", "GappedPhrases", "Phrases", "ReplyWords", "folded_words", "reply_words"]
