# The defaults of the whole company, kept by Ada.
class defaults {
  $timeserver = 'time.campus.example'
  $zone = 'Europe/Vienna'
}

# The machines of the laboratory, kept by Ben.
class laboratory inherits defaults {
  $timeserver = 'clock.lab.example'
  file { '/etc/ntp.conf': content => "server ${timeserver}" }
  file { '/etc/timeserver': content => $timeserver }
  file { '/etc/timezone': content => $zone }
}

include laboratory
