// Of all chains alike: what stands at one of these addresses on another chain is nobody's to choose.

/** Where the router stands, for who names it by its address (doppler-sdk 1.0.37). */
export const routers = new Set([
  '0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
  '0x3a9d48ab9751398bbfa63ad67599bb04e4bdf98b',
  '0xa51afafe0263b40edaef0df8781ea9aa03e381a3',
  '0x6ff5693b99212da76ad316178a184ab56d299b43',
  '0x492e6456d9528771018deb9e87ef7750ef184104',
  '0x112908dac86e20e7241b0927479ea3bf935d1fa0',
  '0x8876789976decbfcbbbe364623c63652db8c0904',
  '0xef740bf23acae26f6492b10de645d6b98dc8eaf3',
  '0xf70536b3bcc1bd1a972dc186a2cf84cc6da6be5d',
  '0x0d97dc33264bfc1c226207428a79b26757fb9dc3',
])

/** The coin wrapped, as the routers of the chains have it (doppler-sdk 1.0.37). */
export const wrappedCoins = new Set([
  '0x4200000000000000000000000000000000000006',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
  '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
  '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
  '0x3bd359c1119da7da1d913d1c4d2b7c461115433a',
])
