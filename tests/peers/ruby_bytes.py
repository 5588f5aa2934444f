"""Small programs over strings of bytes, drawn at random: encodings, what they are put together
with, and what methods make of them.  Each shows the result, the receiver and their encodings."""

from __future__ import annotations

import random

_WORDS = str.split
STRINGS = [
    '"abc".b', '"é".b', '"\\xff".b', '"a\\xC3b".b', '"".b', '"é"', '"abc"', '"\\xff"', '"日"',
    '"h\\xC3\\xA9 x".b', '"a,b;c".b', '" x ".b', '"a\\nb\\n".b', '"ABC def".b', '"aé"', '""',
    '[1,200,3].pack("C*")', 'Base64.decode64("w6k=")', 'Digest::MD5.digest("a")',
]  # fmt: skip
PLAIN = _WORDS("""
    b bytes bytesize length size chars inspect dump encoding valid_encoding? ascii_only? upcase
    unicode_normalize unicode_normalized? downcase capitalize swapcase strip lstrip rstrip chomp
    chop reverse to_s to_str to_i to_f hex oct ord chr sum lines codepoints scrub squeeze empty?
    dup clone freeze +@ -@ grapheme_clusters each_char.to_a each_byte.to_a each_line.to_a to_json
    to_yaml frozen?
""")
WITH_STRING = _WORDS("""
    ~+~{t} ~<<~{t} ~==~{t} .eql?({t}) ~<=>~{t} .include?({t}) .start_with?({t}) .end_with?({t})
    .index({t}) .rindex({t}) .split({t}) .delete({t}) .count({t}) .squeeze({t}) .concat({t},{t})
    .prepend({t}) .insert(0,{t}) .replace({t}) .casecmp({t}) .delete_prefix({t}) .slice!({t})
    .delete_suffix({t}) .center(24,{t}) .sub({t},{u}) .gsub({t},{u}) .tr({t},{u}) [{t}] .lines({t})
    .sub!({t},{u}) .gsub!({t},{u}) ~===~{t} .scan({t}) [0]={t} [0,1]={t}
""")
WITH_MORE = _WORDS("""
    ~*~2 [0] [-1] [0,2] [1..] [9] .byteslice(0,2) .getbyte(0) .setbyte(0,200) .slice(0,1)
    .force_encoding("UTF-8") .force_encoding("BINARY") .force_encoding(Encoding::ASCII_8BIT)
    .encode("UTF-8") .encode("ASCII-8BIT") .encode("UTF-8","BINARY") .encode("UTF-8",undef::replace)
    .encode("UTF-8","binary",invalid::replace,undef::replace) .unpack("C*") .unpack("a*")
    .unpack1("H*") .unpack("A1a*") .unpack("b*") .unpack("n*") .unpack("m") ~=~~/./ ~=~~/b/ ~=~~/é/
    [/./] [/[^a-z]/] .scan(/./) .scan(/\\w/) .split(/,/) .split("") .split .sub(/./,"x")
    .gsub(/[^a-z]/,"-") .gsub(/./){|c|c.inspect} .match(/(.)(.)/).to_a .tr("a-z","A-Z") ~<<~65
    .delete("a") ~<<~200 .start_with?(/./) .partition(/b/) .rpartition(/b/) .index(/b/) .rindex(/./)
""")
FUNCTIONS = _WORDS("""
    "#{x}" "#{x}-" "é#{x}" "#{x}é" "a#{x}#{x}" [x,"a"].join ["a",x].join ["é",x].join("-") {x=>1}
    [x,1,nil,:a].join(",") [x].join("é") {x=>1}.keys[0] {x=>1}["é"] {x=>1}["abc"] [x,"é","a"].sort
    [x,"é"].max [x,"abc","é"].uniq [x,x.dup].uniq.size ["é","abc","\\xff"].include?(x)
    ["é","abc"]-[x] x=="é" Digest::MD5.hexdigest(x) Digest::MD5.digest(x) Base64.encode64(x)
    [x].pack("m0") Base64.decode64(Base64.encode64(x)) [x].pack("a*") [x].pack("H*")
    JSON.generate([x]) JSON.generate({x=>x}) [x].to_yaml YAML.load(x.to_yaml) String.new(x)
    (String.new<<x) ((+"")<<x) ((+"é")<<x) format("%s",x) format("%-6s|",x) format("%p",x)
    Shellwords.escape(x) Shellwords.split(x) ERB::Util.html_escape(x) CGI.escape(x)
    URI.encode_www_form_component(x) x.chars.map(&:ord) x.chars.map{|c|c.encoding.to_s}.uniq
    x.bytes.map(&:chr).join
    (x.bytes.pack("C*")==x) x.unpack("C*").map{|c|"%02x"%c}.join x.each_line.map(&:chomp)
    Regexp.escape(x) x.sub("b"){|m|m+"é"} x.gsub("a"=>"é") (x=~/b/;[$`,$'])
    (x.force_encoding("UTF-8").valid_encoding?) (case(x)when"abc"then(1)when"é"then(2)else(3)end)
    x.each_char.with_index.map{|c,i|c*i}.join x.encoding==Encoding::BINARY
""")
SHOWN = "[y, x, (y.encoding.to_s rescue 0), x.encoding.to_s, (y[0].encoding.to_s rescue 0)]"


def program_of_bytes(seed: int) -> str:
    """The program of a number."""
    draw = random.Random(seed)
    kind = draw.choice([PLAIN, WITH_STRING, WITH_STRING, WITH_MORE, FUNCTIONS])
    call = draw.choice(kind)
    call = call.replace("{t}", draw.choice(STRINGS)).replace("{u}", draw.choice(STRINGS))
    if kind is PLAIN:
        call = f"x.{call}"
    elif kind is not FUNCTIONS:
        call = "x" + call.replace("~", " ")
    return f"x = {draw.choice(STRINGS)}; y = ({call}); {SHOWN}"
