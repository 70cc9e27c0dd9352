"""Words of obligation that several forms share."""

OBLIGED = """
    ( must|should|shall|will|can|may [only|always|still|just|definitely|please]
    | has|have|needs?|ought|got to [always|still|just] | is|are [supposed|meant|going] to | had better
    | better )
"""
"""What obliges a thing to stay as it is, or somebody to do something."""

DUTY = "( must|should|shall | has|have to | needs?|ought to | is|are to )"
"""What obliges, without what merely allows."""
