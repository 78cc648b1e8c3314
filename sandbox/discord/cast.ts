import { PermissionFlagsBits } from 'discord-api-types/v10'

// Ids are fixed, so that tests and stored data can name them.
interface Named {
  id: string
  name: string
}

interface Someone extends Named {
  username: string
}

export const gavel: Someone = { id: '1300000000000000001', username: 'gavel_bot', name: 'Gavel' }
export const ada: Someone = { id: '1300000000000000101', username: 'ada', name: 'Ada' }
export const ben: Someone = { id: '1300000000000000102', username: 'ben', name: 'Ben' }
export const otterClub: Named = { id: '1300000000000000200', name: 'Otter Club' }
export const club: Named = { id: '1300000000000000201', name: 'otter-club' }
export const news: Named = { id: '1300000000000000202', name: 'otter-news' }
export const adminRole: Named = { id: '1300000000000000301', name: 'Admin' }
export const botRole: Named = { id: '1300000000000000302', name: 'Gavel' }
/** A role for all who want to hear of launches: anyone may mention it. */
export const launchesRole: Named = { id: '1300000000000000303', name: 'Launches' }
/** The private chats with the bot, by the person's id. */
export const privateChats: Readonly<Record<string, string>> = {
  [ada.id]: '1300000000000000401',
  [ben.id]: '1300000000000000402',
}

const P = PermissionFlagsBits

/** What everyone may do in the server unless a channel says otherwise. */
export const everyonePermissions =
  P.ViewChannel |
  P.SendMessages |
  P.SendMessagesInThreads |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.MentionEveryone |
  P.UseExternalEmojis |
  P.AddReactions |
  P.UseApplicationCommands |
  P.Connect |
  P.ChangeNickname

/** In #otter-news only administrators write; the bot's role is let in by its own overwrite. */
export const closedInNews = P.SendMessages | P.SendMessagesInThreads | P.UseApplicationCommands
