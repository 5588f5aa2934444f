"""Headwater compiles declarative configuration and knows the cause of every value it puts out."""

__all__ = ["__version__"]

__version__ = "0.1.0"
