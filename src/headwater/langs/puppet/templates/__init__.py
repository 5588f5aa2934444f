"""Templates in EPP: the language of manifests with text around it."""
