import { type Api, InputFile } from 'grammy'
import type { Attachment } from '../chat/view.ts'
import { photoRefusal } from './send-error.ts'

/** What the Bot API takes for a photo: https://core.telegram.org/bots/api#sendphoto */
const photoTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp'])
const largestPhoto = 10 * 1024 * 1024

/**
 * Sends files, each as a message of its own: pictures as photos where Telegram takes them for such, everything else
 * as a document. @throws GrammyError and HttpError as grammY does
 */
export async function sendFiles(
  api: Api,
  chat: number | string,
  files: readonly Attachment[],
  where: { message_thread_id?: number } = {},
): Promise<void> {
  for (const file of files) {
    const isPhoto = photoTypes.has(file.type) && file.bytes.length <= largestPhoto
    if (isPhoto && (await sentAsPhoto(api, chat, file, where))) continue
    await api.sendDocument(chat, inputFile(file), where)
  }
}

/** False for a picture that Telegram can't process or whose sides it does not like. */
async function sentAsPhoto(
  api: Api,
  chat: number | string,
  file: Attachment,
  where: { message_thread_id?: number },
): Promise<boolean> {
  try {
    await api.sendPhoto(chat, inputFile(file), where)
    return true
  } catch (error) {
    if (photoRefusal(error)) return false
    throw error
  }
}

/** A file to upload; grammY writes names into a header as they are. */
export function inputFile({ name, bytes }: Attachment): InputFile {
  const safe = name.replaceAll(/[^\p{L}\p{N}._ ()-]/gu, '_').slice(0, 60)
  return new InputFile(bytes, safe === '' ? 'file' : safe)
}
