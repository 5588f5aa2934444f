"""What a schema says about an attribute: whether it must be there, bound how, of which class."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.langs.smartfrog.production.components import Application, Comp, Value, Vec
from headwater.langs.smartfrog.production.syntax import Bytes, Float, Long, Reference

CD = "org.smartfrog.sfcore.componentdescription.ComponentDescription"
SF = "org.smartfrog.sfcore.languages.sf."


def classes(value: Value) -> list[str]:
    """The class of a value in production, then what else it may pass for."""
    match value:
        case None:
            return ["org.smartfrog.sfcore.common.SFNull"]
        case bool():
            return ["java.lang.Boolean"]
        case Bytes():
            return ["org.smartfrog.sfcore.common.SFByteArray"]
        case str():
            return ["java.lang.String", "java.lang.CharSequence", "java.lang.Comparable"]
        case Long():
            return ["java.lang.Long", "java.lang.Number", "java.lang.Comparable"]
        case Float():
            return ["java.lang.Float", "java.lang.Number", "java.lang.Comparable"]
        case int():
            return ["java.lang.Integer", "java.lang.Number", "java.lang.Comparable"]
        case float():
            return ["java.lang.Double", "java.lang.Number", "java.lang.Comparable"]
        case Vec():
            return ["java.util.Vector", "java.util.List", "java.util.Collection"]
        case Comp():
            own = SF + "sfcomponentdescription.SFComponentDescriptionImpl"
            return [own, CD, SF + "sfcomponentdescription.SFComponentDescription"]
        case Application():
            return [SF + "sfreference.SFApplyReference", SF + "sfreference.SFReference",
                    "org.smartfrog.sfcore.reference.Reference"]  # fmt: skip
        case _:
            return [SF + "sfreference.SFReference", "org.smartfrog.sfcore.reference.Reference",
                    "org.smartfrog.sfcore.reference.SFReference"]  # fmt: skip


def check_element(name: str, there: bool, value: Value, entry: Mapping[str, Value]) -> str | None:
    """What is wrong with an attribute, in production's words, or nothing."""
    description = entry.get("description")
    shown = f"'{name} ({description})'" if description else f"'{name}'"
    if not there:
        optional = entry.get("optional", False)
        return None if optional is True else f"non-optional attribute {shown} is missing"
    binding = entry.get("binding", "anyBinding")
    if binding not in ("anyBinding", "eager", "lazy"):
        return f"binding not valid value for attribute {shown}"
    wanted = entry.get("class", "anyClass")
    names = [str(item) for item in wanted.items] if isinstance(wanted, Vec) else [str(wanted)]
    is_class = any(each in ("anyClass", "java.lang.Object") or each in classes(value)
                   for each in names)  # fmt: skip
    if isinstance(value, Reference | Application):
        if binding == "eager" and not is_class:
            return f"(lazy) reference value for non-reference eager attribute {shown}"
        return None
    if binding == "lazy":
        return f"non-reference value found for lazy attribute {shown}"
    if not is_class:
        expected = names[0] if len(names) == 1 else "[" + ", ".join(names) + "]"
        found = classes(value)[0]
        return f"wrong class found for attribute {shown}, expected: {expected}, found: {found}"
    return None
