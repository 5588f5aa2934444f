"""What Ruby has and is not evaluated here, by name and with the reason.

A method of Ruby that is neither in `methods` or `stdlib` nor here would look as if Ruby had it
not; a test asks real Ruby for all names.
"""

from __future__ import annotations

from typing import Final

from headwater.langs.puppet.ruby.classes import BUILTIN, OBJECT, define, module
from headwater.langs.puppet.ruby.methods import functions
from headwater.langs.puppet.ruby.methods.registry import refuse, refuse_own
from headwater.langs.puppet.ruby.stdlib import (
    addresses,
    dates,
    digests,
    json,
    paths,
    randoms,
    sets,
    texts,
    times,
    uris,
    yaml,
)

MODULES: Final = (
    addresses, dates, digests, functions, json, paths, randoms, sets, texts, times, uris, yaml
)  # fmt: skip
"""Who defines the classes that are named here."""

MACHINE: Final = "it reaches out of the program: processes, files, the terminal, the clock"
ADDRESS: Final = "its value differs from run to run"
CHANCE: Final = "chance without a seed"
TEXT: Final = "text is not run"
INSIDE: Final = "it looks into the interpreter"
COMPLEX: Final = "complex numbers are not evaluated"
RARE: Final = "nobody needed it yet"
DISK: Final = "it looks at the disk"

for _name, _above in (("Complex", "Numeric"), ("Thread", "Object"), ("Dir", "Object")):
    define(_name, BUILTIN[_above])
for _name in ("Process", "GC", "ObjectSpace", "Marshal", "Signal"):
    module(_name)
define("TracePoint", OBJECT)
define("Binding", OBJECT)

_METHODS: Final = (
    ("Kernel", MACHINE, "` abort at_exit display exec exit exit! fork gets load open p pp print "
     "printf putc puts readline readlines select sleep spawn syscall system test trap warn "
     "autoload autoload? gem gem_original_require j jj"),
    ("Kernel", ADDRESS, "hash object_id"),
    ("BasicObject", ADDRESS, "__id__"),
    ("Kernel", TEXT, "eval"),
    ("Kernel", INSIDE, "__callee__ __dir__ __method__ binding block_given? iterator? caller "
     "caller_locations global_variables local_variables set_trace_func trace_var untrace_var "
     "methods private_methods protected_methods public_methods singleton_methods singleton_class "
     "public_method singleton_method"),
    ("Kernel", COMPLEX, "Complex"),
    ("Kernel", RARE, "Pathname"),
    ("Object", RARE, "yaml_tag"),
    ("Module", INSIDE, "autoload autoload? class_variables const_missing const_source_location "
     "constants deprecate_constant instance_method public_instance_method remove_class_variable"),
    ("Class", INSIDE, "json_creatable? subclasses"),
    ("NilClass", COMPLEX, "to_c"),
    ("Numeric", COMPLEX, "i to_c"),
    ("Numeric", INSIDE, "singleton_method_added"),
    ("String", COMPLEX, "to_c"),
    ("String", MACHINE, "crypt"),
    ("Hash", ADDRESS, "compare_by_identity"),
    ("Enumerator", INSIDE, "feed next_values peek_values"),
    ("Regexp", MACHINE, "~"),
    ("Proc", INSIDE, "binding source_location"),
    ("Method", INSIDE, "source_location super_method unbind"),
    ("Exception", INSIDE, "full_message"),
    ("LoadError", INSIDE, "path"),
    ("SignalException", MACHINE, "signm signo"),
    ("SystemExit", MACHINE, "status success?"),
    ("LocalJumpError", INSIDE, "exit_value reason"),
    ("NameError", INSIDE, "local_variables"),
    ("NoMethodError", INSIDE, "private_call?"),
    ("SystemCallError", MACHINE, "errno"),
    ("UnboundMethod", INSIDE, "arity bind bind_call name original_name owner parameters private? "
     "protected? public? source_location super_method"),
    ("Encoding", RARE, "_dump names replicate"),
    ("ERB", TEXT, "def_class def_method def_module encoding filename filename= lineno lineno= "
     "location= make_compiler result result_with_hash run set_eoutvar src"),
    ("Set", ADDRESS, "compare_by_identity compare_by_identity?"),
    ("Set", MACHINE, "pretty_print pretty_print_cycle"),
    ("Digest::Instance", MACHINE, "file"),
    ("Numeric", RARE, "denominator numerator"),
    ("Encoding::UndefinedConversionError", RARE, "destination_encoding destination_encoding_name "
     "error_char source_encoding source_encoding_name"),
    ("Encoding::InvalidByteSequenceError", RARE, "destination_encoding destination_encoding_name "
     "error_bytes incomplete_input? readagain_bytes source_encoding source_encoding_name"),
    ("Random::Formatter", CHANCE, "alphanumeric base64 hex rand random_bytes random_number "
     "urlsafe_base64 uuid"),
    ("GC", INSIDE, "garbage_collect"),
    ("URI::HTTP", RARE, "authority origin"),
    ("URI::HTTP", MACHINE, "open read"),
    ("URI::File", RARE, "check_password check_user check_userinfo set_host set_password set_port "
     "set_user set_userinfo"),
    ("Time", RARE, "to_datetime"),
    ("Date", MACHINE, "to_time"),
    ("Date", RARE, "ajd amjd day_fraction england infinite? italy jisx0301 julian marshal_dump "
     "marshal_load new_start start to_datetime"),
    ("Psych::SyntaxError", RARE, "column context file line offset problem"),
)  # fmt: skip

_OWN: Final = (
    ("Kernel", MACHINE, "`"),
    ("Object", RARE, "yaml_tag"),
    ("Module", INSIDE, "constants nesting used_modules"),
    ("Symbol", INSIDE, "all_symbols"),
    ("Hash", INSIDE, "ruby2_keywords_hash ruby2_keywords_hash?"),
    ("Exception", MACHINE, "to_tty?"),
    ("Encoding", RARE, "_load aliases compatible? default_external= default_internal= list "
     "locale_charmap name_list"),
    ("JSON", INSIDE, "create_fast_state create_id create_id= create_pretty_state deep_const_get "
     "dump_default_options dump_default_options= generator generator= iconv load_default_options "
     "load_default_options= parser parser= recurse_proc state state="),
    ("JSON", DISK, "load_file!"),
    ("ERB", INSIDE, "version"),
    ("ERB", TEXT, "new"),
    ("CGI", MACHINE, "new accept_charset accept_charset= parse pretty rfc1123_date escapeElement "
     "escape_element unescapeElement unescape_element"),
    ("SecureRandom", CHANCE, "bytes gen_random hex uuid random_number random_bytes base64 "
     "urlsafe_base64 alphanumeric rand choose"),
    ("Digest::Class", DISK, "file"),
    ("Digest", INSIDE, "const_missing"),
    ("IO", DISK, "binread binwrite copy_stream for_fd foreach new open pipe popen "
     "select sysopen try_convert write"),
    ("File", DISK, "atime birthtime blockdev? chardev? chmod chown ctime delete directory? empty? "
     "executable? executable_real? ftype grpowned? identical? lchmod lchown "
     "link lstat lutime mkfifo mtime owned? pipe? readable_real? readlink realdirpath "
     "realpath rename setgid? setuid? size size? socket? stat sticky? symlink symlink? truncate "
     "umask unlink utime world_readable? world_writable? writable? writable_real? zero? new open"),
    ("Dir", DISK, "[] chdir children chroot delete each_child empty? entries exist? exists? "
     "foreach getwd glob home mkdir new open pwd rmdir unlink mktmpdir tmpdir"),
    ("Process", MACHINE, "_fork abort argv0 clock_getres clock_gettime daemon detach egid egid= "
     "euid euid= exec exit exit! fork getpgid getpgrp getpriority getrlimit getsid gid gid= "
     "groups groups= initgroups kill last_status maxgroups maxgroups= pid ppid setpgid setpgrp "
     "setpriority setproctitle setrlimit setsid spawn times uid uid= wait wait2 waitall waitpid "
     "waitpid2"),
    ("ObjectSpace", INSIDE, "_id2ref count_objects define_finalizer each_object garbage_collect "
     "undefine_finalizer"),
    ("GC", INSIDE, "auto_compact auto_compact= compact count disable enable latest_compact_info "
     "latest_gc_info measure_total_time measure_total_time= start stat stress stress= total_time "
     "using_rvargc? verify_compaction_references verify_internal_consistency "
     "verify_transient_heap_internal_consistency"),
    ("Marshal", TEXT, "dump load restore"),
    ("Signal", MACHINE, "list signame trap"),
    ("Thread", MACHINE, "abort_on_exception abort_on_exception= current exit fork handle_interrupt "
     "ignore_deadlock ignore_deadlock= kill list main new pass pending_interrupt? "
     "report_on_exception report_on_exception= start stop"),
    ("Complex", COMPLEX, "polar rect rectangular"),
    ("Socket", MACHINE, "accept_loop gethostbyaddr getnameinfo getservbyname getservbyport "
     "pack_sockaddr_in pack_sockaddr_un pair sockaddr_in sockaddr_un socketpair tcp_server_loop "
     "tcp_server_sockets udp_server_loop_on udp_server_recv udp_server_sockets unix "
     "unix_server_loop unix_server_socket unpack_sockaddr_in unpack_sockaddr_un"),
    ("JSON::JSONError", RARE, "wrap"),
    ("TracePoint", INSIDE, "allow_reentry stat trace"),
    ("URI::Generic", MACHINE, "use_proxy?"),
    ("URI::FTP", RARE, "new2"),
    ("Psych", INSIDE, "config"),
    ("Time", MACHINE, "now"),
    ("Date", MACHINE, "today"),
    ("Date", RARE, "_httpdate _iso8601 _jisx0301 _load _parse _rfc2822 _rfc3339 _rfc822 _strptime "
     "_xmlschema jisx0301 julian_leap? strptime valid_jd?"),
    ("Time", RARE, "strptime zone_offset"),
)  # fmt: skip

for _class, _reason, _names in _METHODS:
    refuse(BUILTIN[_class], _reason, _names)
for _class, _reason, _names in _OWN:
    refuse_own(BUILTIN[_class], _reason, _names)
