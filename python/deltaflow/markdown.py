"""Worked instants as Markdown with formulas, which notebooks show."""

from __future__ import annotations

import re

_rules = [
    (r"^%.*\n", ""),
    (r"^\\(documentclass|usepackage|begin\{document\}|end\{document\}).*\n?", ""),
    (r"\\section\*\{(.*)\}", r"### \1"),
    (r"\\subsection\*\{(.*)\}", r"#### \1"),
    (r"\\subsubsection\*\{(.*)\}", r"**\1**\n"),
    (r"\\paragraph\{(.*?)\}", r"**\1**: "),
    (r"\\hfill", " "),
    (r"\\begin\{align\*\}", r"$$\\begin{aligned}"),
    (r"\\end\{align\*\}", r"\\end{aligned}$$"),
    (r"\\begin\{itemize\}|\\end\{itemize\}", ""),
    (r"^\\item ", "- "),
    (r"\\ensuremath\{(.*?)\}", r"$\1$"),
    (r"\\_", "_"),
]


def from_latex(text: str) -> str:
    """
    >>> from_latex(r"\\section*{Ball}")
    '### Ball'
    """
    for pattern, replacement in _rules:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text
