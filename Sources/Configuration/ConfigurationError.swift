/// What is wrong with the settings, and where that stands.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String
}
