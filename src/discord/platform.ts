import type { Platform } from '../core/command.ts'

const rights = 'Manage Server or Manage Webhooks'

/** Discord over the gateway. */
export const discord: Platform = {
  name: 'discord',
  textInput: true,
  hiddenAnswers: true,
  chatPicker: false,
  namedOptions: true,
  words: {
    managers: { all: `people with ${rights}`, one: `somebody with ${rights}` },
    notManaged:
      'you have neither Manage Server nor Manage Webhooks there. Add me with View Channel and Send Messages',
    askToPost: 'Give me View Channel and Send Messages',
    unseenManagers: 'who may change this here. Give me View Channel in this channel',
  },
}

/** Discord over the interactions endpoint, which brings no messages. */
export const discordWithoutMessages: Platform = { ...discord, textInput: false }
