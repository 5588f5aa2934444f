"""What L3 takes: nothing but its files."""

from headwater.langs.fields import Families

FAMILIES = Families("L3")
