"""Collins (1996), *A New Statistical Parser Based on Bigram Lexical Dependencies*, as a package."""
