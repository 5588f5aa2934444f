"""What is likely not meant in an environment as a whole: ``headwater check FOLDER``.

`texts` reads every manifest, template and data file once; each other module is one kind of finding.
A finding must be sure enough to be worth reading: where a name is computed, whatever it may mean
counts as used.
"""
