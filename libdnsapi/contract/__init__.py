"""What a Provider promises, made executable: versions, payload schemas, CEL rules, conversion.

Pure: a compiled contract is a value, evaluation takes the object and a deadline check, and a conversion by webhook is
only described here; the call itself is made by whoever implements `ConversionClient`.
"""
