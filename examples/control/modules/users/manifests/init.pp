# Accounts of people and programs.
#
# @param accounts each with uid, and groups, shell and keys where it has them
class users (
  Hash[String[1], Users::Settings] $accounts = {},
) {
  $accounts.each |$name, $account| {
    users::account { $name:
      * => $account,
    }
  }
}
