"""SmartFrog: prototypes, references, placement (Anderson & Herry).  Begin with NOTES.md."""
