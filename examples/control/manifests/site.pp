# Every node has one role, and its data say which.
node default {
  $role = lookup('role', String[1])
  include "role::${role}"
}
