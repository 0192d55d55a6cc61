import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const FRAMES = 43;
const BREADCRUMBS = 100;
const CONTEXT_LINES = 5;

const WORDS =
  'cart order item price total shipping address customer invoice payment product stock warehouse return const await async function map filter reduce find push length index result value error throw new if else for of let null undefined config request response route handler service repository query update insert remove select where join group limit offset page cache queue worker job retry timeout promise resolve reject'.split(
    ' ',
  );

/** Words in an order that looks like no other, but is the same in every run. */
class Phrases {
  #state = 7;

  /** @param {number} count */
  words(count) {
    return Array.from({ length: count }, () => this.#word()).join(' ');
  }

  /** @param {number} below */
  number(below) {
    this.#state = (this.#state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.#state / 2_147_483_648) * below);
  }

  #word() {
    return WORDS[this.number(WORDS.length)] ?? '';
  }
}

const phrases = new Phrases();

/** @param {number} at */
function frame(at) {
  const name = phrases.words(2).replace(' ', '-');
  const lines = () => Array.from({ length: CONTEXT_LINES }, () => `    ${phrases.words(5)};`);
  return {
    filename: `/srv/shop/dist/${name}/${name}.service.js`,
    module: `${name}.service`,
    function: `${phrases.words(1)}Of${at}`,
    lineno: phrases.number(900) + 1,
    colno: phrases.number(80) + 1,
    in_app: at % 3 !== 0,
    pre_context: lines(),
    context_line: `    ${phrases.words(6)};`,
    post_context: lines(),
  };
}

/** @param {number} at */
function breadcrumb(at) {
  return {
    timestamp: 1_790_000_000 + at / 7,
    category: ['http', 'console', 'query'][at % 3],
    level: 'info',
    message: phrases.words(12),
    data: { url: `https://shop.example.com/${phrases.words(3).replaceAll(' ', '/')}`, status: 200 },
  };
}

/** Common part of all events: about 50 KB of JSON, as @sentry/node sends it. */
const COMMON = {
  level: 'error',
  platform: 'node',
  environment: 'production',
  release: 'shop@4.11.2',
  server_name: 'web-03',
  sdk: { name: 'sentry.javascript.node', version: '10.78.0', integrations: WORDS.slice(0, 20) },
  contexts: {
    runtime: { name: 'node', version: 'v20.20.0' },
    os: { name: 'Linux', kernel_version: '6.1.0', version: '12' },
    device: { arch: 'x64', memory_size: 8_320_000_000, processor_count: 4 },
    culture: { locale: 'en-US', timezone: 'UTC' },
  },
  tags: { region: 'eu-west', tier: 'web', shard: 3 },
  breadcrumbs: Array.from({ length: BREADCRUMBS }, (_, at) => breadcrumb(at)),
  modules: Object.fromEntries(WORDS.slice(0, 60).map((word, at) => [`shop-${word}`, `2.${at}.1`])),
};

const STACK = Array.from({ length: FRAMES }, (_, at) => frame(at));

/** An event, its id and the bytes of the envelope it comes in. */
function envelopeOf(/** @type {string} */ eventId, /** @type {object} */ event) {
  const sdk = { name: 'sentry.javascript.node', version: '10.78.0' };
  const header = { event_id: eventId, sent_at: new Date().toISOString(), sdk };
  const body = JSON.stringify({ event_id: eventId, timestamp: Date.now() / 1_000, ...event });
  return `${JSON.stringify(header)}\n{"type":"event"}\n${body}`;
}

/**
 * Envelopes of events that belong to so many errors in turn, compressed as @sentry/node does it.
 * @param {number} count
 * @param {number} errors
 */
export function largeEnvelopes(count, errors) {
  return Array.from({ length: count }, (_, at) => {
    const eventId = randomBytes(16).toString('hex');
    const values = [
      {
        type: `ShopError${at % errors}`,
        value: `order ${at} was not found`,
        mechanism: { type: 'generic', handled: true },
        stacktrace: { frames: STACK },
      },
    ];
    const user = { id: String(at % 1_000), username: `customer${at % 1_000}` };
    return gzipSync(envelopeOf(eventId, { ...COMMON, exception: { values }, user }));
  });
}
