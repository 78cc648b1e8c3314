/** A file as the console's server takes it, as a photo where Telegram would send it as one. */
export async function uploadOf(file: File) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const asPhoto = /^image\/(?:png|jpeg|webp)$/u.test(file.type)
  return { name: file.name, type: file.type, data: btoa(binary), asPhoto, caption: '' }
}
