# What the data say of an account.
type Users::Settings = Struct[{
  uid              => Integer[1000],
  Optional[groups] => Array[String[1]],
  Optional[shell]  => String[1],
  Optional[keys]   => Array[String[1]],
}]
