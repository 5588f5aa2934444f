# Runs each program of standard input (JSON lines) and writes what it gives, or its error.
require "json"
%w[base64 cgi date digest erb ipaddr set shellwords time uri yaml].each { |name| require name }
STDIN.each_line do |line|
  text = JSON.parse(line)
  begin
    given = TOPLEVEL_BINDING.dup.eval(text)
    answer = given.inspect
  rescue SystemStackError, NoMemoryError, SyntaxError => error
    answer = "#{error.class}"
  rescue Exception => error
    answer = "#{error.class}: #{error.message.lines.first.to_s.chomp}"
  end
  puts JSON.generate([answer.encode("UTF-8", invalid: :replace, undef: :replace)])
  STDOUT.flush
end
