"""Moving a program to the next language level: what that will refuse or change, and fixes."""
