import type { Platform } from '../core/command.ts'

export const telegram: Platform = {
  name: 'telegram',
  textInput: true,
  hiddenAnswers: false,
  chatPicker: true,
  namedOptions: false,
  words: {
    managers: { all: 'administrators', one: 'an administrator' },
    notManaged: 'you are no administrator there. Add me as an administrator who may post',
    askToPost: 'Make me an administrator who may post',
    unseenManagers: 'who administers this chat. Make me an administrator',
  },
}
