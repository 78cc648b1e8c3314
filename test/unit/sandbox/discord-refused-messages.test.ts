import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, token } from './discord-bot.ts'
import {
  button,
  link,
  long,
  option,
  row,
  section,
  select,
  text,
  thumbnail,
  times,
  v2,
} from './discord-parts.ts'

let server: DiscordServer

beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
})

afterAll(() => server.stop())

const post = (body: unknown) => call(server, `POST /channels/${club.id}/messages`, body)
describe('a message is refused for', () => {
  test.each<[string, unknown, string]>([
    ['too much content', { content: long(2001) }, 'content BASE_TYPE_MAX_LENGTH'],
    ['content that is no text', { content: {} }, 'content STRING_TYPE_CONVERT'],
    ['eleven embeds', { embeds: times(11, () => ({ title: 'x' })) }, 'embeds BASE_TYPE_MAX_LENGTH'],
    [
      'a long embed title',
      { embeds: [{ title: long(257) }] },
      'embeds.0.title BASE_TYPE_MAX_LENGTH',
    ],
    ['an empty embed', { embeds: [{}] }, 'embeds.0.description BASE_TYPE_REQUIRED'],
    [
      'embeds of over 6000 characters',
      { embeds: times(2, () => ({ description: long(3001) })) },
      'embeds MAX_EMBED_SIZE_EXCEEDED',
    ],
    [
      'an embed field without a value',
      { embeds: [{ fields: [{ name: 'x', value: '' }] }] },
      'embeds.0.fields.0.value BASE_TYPE_REQUIRED',
    ],
    [
      'a new component without the flag',
      { components: [text('x')] },
      'components.0 UNION_TYPE_CHOICES',
    ],
    [
      'six rows',
      { components: times(6, (i) => row(button({ custom_id: `${i}` }))) },
      'components BASE_TYPE_MAX_LENGTH',
    ],
    [
      'content beside Components V2',
      { ...v2(text('x')), content: 'x' },
      'content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
    [
      'embeds beside Components V2',
      { ...v2(text('x')), embeds: [{ title: 'x' }] },
      'embeds MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
    ['an unknown component', v2({ type: 99 }), 'components.0 UNION_TYPE_CHOICES'],
    ['a component without a type', v2({}), 'components.0.type BASE_TYPE_REQUIRED'],
    ['a component that is a string', v2('x'), 'components.0 MODEL_TYPE_CONVERT'],
    ['an empty text', v2(text('')), 'components.0.content BASE_TYPE_REQUIRED'],
    ['a text of blanks', v2(text(' \n ')), 'components.0.content BASE_TYPE_REQUIRED'],
    [
      'more than 4000 characters in all',
      v2(text(long(2001)), { type: 17, components: [text(long(2000))] }),
      'components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
    ],
    [
      'more than 40 components, nested ones counted',
      v2(...times(20, () => section({ accessory: thumbnail('https://a.example/x.png') }))),
      'components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
    ],
    [
      'a container in a container',
      v2({ type: 17, components: [{ type: 17, components: [] }] }),
      'components.0.components.0 UNION_TYPE_CHOICES',
    ],
    [
      'an accent out of range',
      v2({ type: 17, accent_color: 0x1000000, components: [text('x')] }),
      'components.0.accent_color NUMBER_TYPE_MAX',
    ],
    ['a section without accessory', v2(section({})), 'components.0.accessory BASE_TYPE_REQUIRED'],
    [
      'a section with four texts',
      v2(section({ components: times(4, () => text('x')), accessory: button() })),
      'components.0.components BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a select as accessory',
      v2(section({ accessory: select() })),
      'components.0.accessory UNION_TYPE_CHOICES',
    ],
    ['a bare button', v2(button()), 'components.0 UNION_TYPE_CHOICES'],
    ['an empty row', v2(row()), 'components.0.components BASE_TYPE_BAD_LENGTH'],
    [
      'six buttons in a row',
      v2(row(...times(6, (i) => button({ custom_id: `${i}` })))),
      'components.0.components BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a select beside a button',
      v2(row(button(), select())),
      'components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED',
    ],
    [
      'a button without label',
      v2(row(button({ label: '' }))),
      'components.0.components.0.label BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED',
    ],
    [
      'a long label',
      v2(row(button({ label: long(81) }))),
      'components.0.components.0.label BASE_TYPE_MAX_LENGTH',
    ],
    [
      'an unknown style',
      v2(row(button({ style: 7 }))),
      'components.0.components.0.style BASE_TYPE_CHOICES',
    ],
    [
      'an emoji that is none',
      v2(row(button({ emoji: { name: 'otter' } }))),
      'components.0.components.0.emoji.name BUTTON_COMPONENT_INVALID_EMOJI',
    ],
    [
      'a long custom id',
      v2(row(button({ custom_id: long(101) }))),
      'components.0.components.0.custom_id BASE_TYPE_BAD_LENGTH',
    ],
    [
      'no custom id',
      v2(row({ type: 2, style: 1, label: 'x' })),
      'components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED',
    ],
    [
      'a custom id twice, in different rows and a disabled button',
      v2(row(button()), row(button({ disabled: true }))),
      'components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      'a link without url',
      v2(row({ type: 2, style: 5, label: 'x' })),
      'components.0.components.0.url BASE_TYPE_REQUIRED',
    ],
    [
      'a link with a custom id',
      v2(row(link('https://a.example', { custom_id: 'x' }))),
      'components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    ],
    [
      'a script link',
      v2(row(link('javascript:alert(1)'))),
      'components.0.components.0.url URL_TYPE_INVALID_SCHEME',
    ],
    [
      'a link without a scheme',
      v2(row(link('a.example'))),
      'components.0.components.0.url URL_TYPE_INVALID_SCHEME',
    ],
    [
      'a malformed link',
      v2(row(link('https://a b'))),
      'components.0.components.0.url URL_TYPE_INVALID_URL',
    ],
    [
      'a long link',
      v2(row(link(`https://a.example/${long(500)}`))),
      'components.0.components.0.url BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a select without options',
      v2(row(select({ options: [] }))),
      'components.0.components.0.options BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a select of 26 options',
      v2(row(select({ options: times(26, (i) => option(`${i}`)) }))),
      'components.0.components.0.options BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a value twice',
      v2(row(select({ options: [option('a'), option('a')] }))),
      'components.0.components.0.options.1 SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    ],
    [
      'an option without label',
      v2(row(select({ options: [option('a', '')] }))),
      'components.0.components.0.options.0.label BASE_TYPE_REQUIRED',
    ],
    [
      'a long option label',
      v2(row(select({ options: [option('a', long(101))] }))),
      'components.0.components.0.options.0.label BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a long placeholder',
      v2(row(select({ placeholder: long(151) }))),
      'components.0.components.0.placeholder BASE_TYPE_MAX_LENGTH',
    ],
    [
      'more values than options',
      v2(row(select({ max_values: 2 }))),
      'components.0.components.0.max_values BASE_TYPE_BAD_LENGTH',
    ],
    [
      'an image from elsewhere',
      v2({ type: 12, items: [{ media: { url: 'ftp://a.example/x' } }] }),
      'components.0.items.0.media.url URL_TYPE_INVALID_SCHEME',
    ],
    ['an empty gallery', v2({ type: 12, items: [] }), 'components.0.items BASE_TYPE_BAD_LENGTH'],
    [
      'a file from the web',
      v2({ type: 13, file: { url: 'https://a.example/x' } }),
      'components.0.file.url URL_TYPE_INVALID_SCHEME',
    ],
    [
      'an attachment that was not sent',
      v2(section({ accessory: thumbnail('attachment://card.png') })),
      'components.0.accessory.media.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
    ],
    ['odd spacing', v2({ type: 14, spacing: 3 }), 'components.0.spacing BASE_TYPE_CHOICES'],
    [
      'component ids twice',
      v2({ ...text('x'), id: 7 }, { ...text('y'), id: 7 }),
      'components.1.id COMPONENT_ID_DUPLICATED',
    ],
    [
      'an unknown kind of mention',
      { content: 'x', allowed_mentions: { parse: ['all'] } },
      'allowed_mentions.parse.0 BASE_TYPE_CHOICES',
    ],
    [
      'users allowed wholly and by id',
      { content: 'x', allowed_mentions: { parse: ['users'], users: [ada.id] } },
      'allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    ],
  ])('%s', async (_, body, fault) => {
    const reply = await post(body)
    expect(reply).toMatchObject({ status: 400, code: 50035 })
    expect(reply.faults).toContain(fault)
  })

  test.each([{}, { content: '' }, { content: ' \n' }, v2(), { embeds: [], components: [] }])(
    'saying nothing: %j',
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, code: 50006 })
    },
  )

  test('more UTF-8 than Discord can store, though within 4000 characters', async () => {
    expect(await post(v2(text('水'.repeat(3386))))).toMatchObject({ status: 200 })
    expect(await post(v2(text('水'.repeat(3387))))).toMatchObject({ status: 500 })
  })

  test('nothing at the very limits', async () => {
    const full = v2(
      text(long(4000)),
      ...times(6, (r) =>
        row(...times(5, (b) => button({ custom_id: `${r}${b}${long(98)}`, label: long(80) }))),
      ),
      row(select({ options: times(25, (i) => option(`${i}`, long(100))), placeholder: long(150) })),
      { type: 14 },
    )
    expect(await post(full)).toMatchObject({ status: 200 })
    expect(
      await post({ content: long(2000), embeds: times(10, () => ({ title: 'x' })) }),
    ).toMatchObject({
      status: 200,
    })
  })
})
