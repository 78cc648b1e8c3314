/** Something that a person's app would not let them do. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError'
}
