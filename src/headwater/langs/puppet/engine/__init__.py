"""The compiler: from manifest, facts, modules and data to a catalog.

Reading order: frames (where variables live), expressions and statements (closures made
from trees), resources, classes, collectors, compiler (the loop), adapter (the door).
"""
