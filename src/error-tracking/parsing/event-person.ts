import { hash } from 'node:crypto';
import { userOf } from './event-fields.js';
import { cutText, type JsonObject, objectOf } from './json-values.js';
import { FILTERED } from './scrub/card-numbers.js';

/** Placeholder of SDKs for the IP address of the connection. */
const AUTO = '{{auto}}';
const LONGEST_LABEL = 255;
const LONGEST_ADDRESS = 64;

/** User affected by an event. */
export interface EventPerson {
  /** Display name. */
  label: string | null;
  /** 16 bytes by which a person is known again in a project. */
  hash: Buffer | null;
  /** `id:7`, the tag by which their events are found. */
  tag: string | null;
  /** Replacement for `{{auto}}`; null if the SDK requests no IP address or none is kept. */
  clientAddress: string | null;
}

/** Data besides the event that identifies a user. */
export interface PersonContext {
  projectId: number;
  clientAddress: string;
  keepsAddresses: boolean;
}

/** Returns the affected user, identified by the first of ID, username, email and IP address. */
export function personOf(event: JsonObject, context: PersonContext): EventPerson {
  const user = userOf(event);
  const asksForAddress = context.keepsAddresses && wantsAddress(event, user?.ipAddress ?? null);
  const clientAddress = asksForAddress ? cutText(context.clientAddress, LONGEST_ADDRESS) : null;
  const sent = context.keepsAddresses ? (user?.ipAddress ?? AUTO) : null;
  const known: [string, string | null][] = [
    ['id', user?.id ?? null],
    ['username', user?.username ?? null],
    ['email', user?.email ?? null],
    ['ip', sent === AUTO ? clientAddress : sent],
  ];
  const [key, value] = known.find(([, one]) => tells(one)) ?? ['', null];
  const tag = value === null ? null : `${key}:${value}`;
  return {
    label: labelOf(known),
    hash: tag === null ? null : digest(`${context.projectId}\n${tag}`),
    tag,
    clientAddress,
  };
}

/** By `{{auto}}` for the user's address or, in newer SDKs, by a setting. */
function wantsAddress(event: JsonObject, address: string | null): boolean {
  const settings = objectOf(objectOf(event.sdk)?.settings);
  if (settings?.infer_ip === 'never') return false;
  return address === AUTO || (address === null && settings?.infer_ip === 'auto');
}

/** Email addresses and names are more readable than IDs. */
function labelOf(known: [string, string | null][]): string | null {
  const values = new Map(known);
  for (const key of ['email', 'username', 'id', 'ip']) {
    const value = values.get(key) ?? null;
    if (tells(value)) return cutText(value.trim(), LONGEST_LABEL);
  }
  return null;
}

function tells(value: string | null): value is string {
  return value !== null && value.trim() !== '' && value !== FILTERED;
}

function digest(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex').slice(0, 32), 'hex');
}
