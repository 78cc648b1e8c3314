import { z } from 'zod'
import { categories } from '../api/requests.ts'

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])

/** The picture of the token: `stored` says that the bytes are here and still have to be published. */
const picture = z.object({ cid: z.string(), stored: z.boolean() })

/**
 * The answers of a launch conversation, by question; what is absent was not answered yet. A question that was skipped
 * has an empty answer (`''`, `[]`, null).
 */
export const answersSchema = z
  .object({
    /** Chain id. */
    chain: z.number().int().positive(),
    /** The id under which the service operator knows the template. */
    template: z.string(),
    name: z.string(),
    /** Without a dollar sign. */
    symbol: z.string(),
    description: z.string(),
    picture: picture.nullable(),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    categories: z.array(z.enum(categories)),
    /** The account that signs. */
    wallet: address,
    /** Null stands for the wallet. */
    feeReceiver: address.nullable(),
    /** Each has an amount in whole tokens (a decimal string) or a percentage of the supply (a decimal string). */
    vesting: z.array(
      z.object({ address, amount: z.string().optional(), percentage: z.string().optional() }),
    ),
    /** Shares are 18-decimal fractions of one, as a decimal integer string: 350000000000000000 is 35 %. */
    beneficiaries: z.array(z.object({ beneficiary: address, shares: z.string() })),
  })
  .partial()

export type Answers = z.output<typeof answersSchema>
export type QuestionId = keyof Answers

/** A draft's JSON body. */
export const draftBodySchema = z.object({
  /** `metadata`: only the half that uploads, for /metadata. */
  goal: z.enum(['launch', 'metadata']).default('launch'),
  answers: answersSchema,
  /** A question that the person went back to; without it the first open one is asked. */
  asking: z.string().optional(),
  /** A re-encoded picture whose crop the person has not accepted yet: its CID. */
  offered: z.string().optional(),
  /** Symbols that the person was told are known already and wants nonetheless. */
  knownSymbolAccepted: z.string().optional(),
  /** What was odd about answers and was meant, by question: nobody is asked about it again. */
  kept: z.record(z.string(), z.array(z.string())).default({}),
  /** What was typed and not taken, by question, so that nobody has to type it again. */
  typed: z.record(z.string(), z.string()).default({}),
  /** The answers that the person confirmed: a digest. Building goes on only while they are still the same. */
  confirmed: z.string().optional(),
  /** Tell the group in which it began. */
  announce: z.boolean().default(false),
  /** The steps that are done, with what they gave, each for just these inputs (a digest of them). */
  done: z
    .object({
      picture: z.object({ of: z.string(), cid: z.string() }).optional(),
      metadata: z.object({ of: z.string(), uri: z.string() }).optional(),
      /** What the interface built, as JSON; it is checked before it becomes a payload. */
      built: z.object({ of: z.string(), answer: z.string() }).optional(),
      /** The id of the payload. */
      payload: z.object({ of: z.string(), id: z.string() }).optional(),
    })
    .default({}),
})

/**
 * `open`: being answered, reviewed or built (a failed build leaves it open). `handed`: a payload was handed out, see
 * `payload.ts`. The rest are ends; `done` is that of a draft whose goal was the metadata alone.
 */
export const draftStates = ['open', 'handed', 'launched', 'done', 'cancelled', 'expired'] as const
export type DraftState = (typeof draftStates)[number]

export interface Draft extends z.output<typeof draftBodySchema> {
  /** 8 characters of [a-z0-9]. */
  id: string
  platform: 'telegram' | 'discord'
  person: string
  /** The group in which it began. */
  origin: string | undefined
  rev: number
  state: DraftState
  /** Unix seconds. */
  createdAt: number
  updatedAt: number
}

/** One of TEMPLATES, as the operator wrote it. */
export interface Template {
  id: string
  label: string
  chain: number
  about?: string | undefined
  /** What every payload of it must do, by row of the table; `npm run doctor -- template NAME` writes it. */
  expects?: Readonly<Record<string, unknown>> | undefined
}
