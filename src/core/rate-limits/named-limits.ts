import { SetMetadata } from '@nestjs/common';
import type { Settings } from '../settings/settings.js';
import type { Limit } from './tally.js';

const MINUTE = 60;
/** The command palette asks several times while a search is typed. */
const REQUESTS_PER_SEARCH = 10;
const TEN_MINUTES = 600;

/** Sender of a request, as rate limits distinguish them. */
export interface Sender {
  /** Owner of the credential, not the user that an administrator acts as; null = not signed in. */
  user: { id: number; admin: boolean } | null;
  address: string;
  /** The container that the path names by `:id`, else empty. */
  containerId: string;
}

/** A limit with the key of its sender. */
export interface Measure {
  limit: Limit;
  who: string;
}

/** Measure of an endpoint's own limit for a sender; null = the sender has no such limit. */
type Rule = (settings: Settings, sender: Sender) => Measure | null;

/** Limits of single endpoints (API doc, Limits). In every setting 0 means unlimited. */
export const NAMED_LIMITS = {
  create: (settings, sender) =>
    measure({ name: 'create_rate_limit', seconds: MINUTE }, settings.create_rate_limit, sender),

  search: searches,

  palette: (settings, sender) => {
    const search = searches(settings, sender);
    if (search === null) return null;
    const { name, requests, seconds } = search.limit;
    const limit = { name: `palette_${name}`, seconds, requests: requests * REQUESTS_PER_SEARCH };
    return { ...search, limit };
  },

  token_creation: (settings, sender) =>
    measure(
      { name: 'token_creation_rate_limit', seconds: MINUTE },
      settings.token_creation_rate_limit,
      sender,
    ),

  users_get_by_id: (settings, sender) =>
    sender.user?.admin === true
      ? null
      : measure(
          { name: 'users_get_by_id_limit', seconds: TEN_MINUTES },
          settings.users_get_by_id_limit,
          sender,
        ),

  projects_list: (settings, sender) =>
    sender.user !== null
      ? null
      : measure(
          { name: 'projects_api_rate_limit_unauthenticated', seconds: TEN_MINUTES },
          settings.projects_api_rate_limit_unauthenticated,
          sender,
        ),

  webhooks: (settings, { containerId }: Pick<Sender, 'containerId'>) =>
    limited(
      { name: 'throttle_webhooks', seconds: MINUTE },
      settings.throttle_webhooks_requests_per_minute,
      `container:${containerId}`,
    ),
} as const satisfies Record<string, Rule>;

export type NamedLimit = keyof typeof NAMED_LIMITS;

function searches(settings: Settings, sender: Sender): Measure | null {
  return sender.user === null
    ? measure(
        { name: 'search_rate_limit_unauthenticated', seconds: MINUTE },
        settings.search_rate_limit_unauthenticated,
        sender,
      )
    : measure({ name: 'search_rate_limit', seconds: MINUTE }, settings.search_rate_limit, sender);
}

/** Returns the counting key of a sender: the user, or the address without a sign-in. */
export function countedAs({ user, address }: Sender): string {
  return user === null ? `address:${address}` : `user:${user.id}`;
}

function measure(limit: Omit<Limit, 'requests'>, requests: number, sender: Sender): Measure | null {
  return limited(limit, requests, countedAs(sender));
}

function limited(limit: Omit<Limit, 'requests'>, requests: number, who: string): Measure | null {
  return requests === 0 ? null : { limit: { ...limit, requests }, who };
}

type Throttle = 'unauthenticated_api' | 'authenticated_api' | 'protected_paths';

/** Returns the limit of all requests of a kind, or null while it is disabled. */
export function throttle(
  settings: Settings,
  kind: Throttle,
  name: string = `throttle_${kind}`,
): Limit | null {
  if (!settings[`throttle_${kind}_enabled`]) return null;
  return {
    name,
    requests: settings[`throttle_${kind}_requests_per_period`],
    seconds: settings[`throttle_${kind}_period_in_seconds`],
  };
}

export const RATE_LIMIT_KEY = 'guildhall:rate-limit';

/**
 * The endpoint's own limit beside that of all requests: `@RateLimit('create')`. Lists with a `search`
 * parameter need no declaration.
 */
export const RateLimit = (name: NamedLimit): MethodDecorator & ClassDecorator =>
  SetMetadata(RATE_LIMIT_KEY, name);
