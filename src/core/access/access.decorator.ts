import {
  applyDecorators,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import type { Scope } from './scopes.js';

export const SCOPES_KEY = 'guildhall:scopes';
export const ABILITY_KEY = 'guildhall:ability';

/** Abilities that need no container: what the viewer is, decides. */
export const GLOBAL_ABILITIES = ['anyone', 'signed_in', 'administrate'] as const;
export type GlobalAbility = (typeof GLOBAL_ABILITIES)[number];

type RouteDecorator = MethodDecorator & ClassDecorator;

/**
 * Scopes of the endpoint's own that open it, beside `api` and, for reading, `read_api`.
 * A route without this declaration keeps the process from starting.
 */
export const Scopes = (...scopes: Scope[]): RouteDecorator => SetMetadata(SCOPES_KEY, scopes);

/**
 * Requires an ability of the viewer, checked by the AuthGuard. For abilities in a project or group
 * use the decorator of that container, which adds its guard.
 *
 * The process does not start if a route declares no ability.
 */
export const Ability = (ability: GlobalAbility): RouteDecorator =>
  SetMetadata(ABILITY_KEY, ability);

/** An endpoint outside the API (health checks): no credentials are looked at. */
export const NoAuthentication = (): RouteDecorator =>
  applyDecorators(SetMetadata(SCOPES_KEY, null), Ability('anyone'));

/**
 * An endpoint outside the API that is opened by credentials of its own, such as the key of an
 * integration: its guards read them and decide the ability. Tokens and sessions are not looked at.
 */
export const GuardedBy = (ability: string, ...guards: Type<CanActivate>[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(SCOPES_KEY, null),
    SetMetadata(ABILITY_KEY, ability),
    UseGuards(...guards),
  );

export const JOB_TOKEN_KEY = 'guildhall:job-token';

/**
 * Accepts job tokens on the endpoint, independent of the scopes it requires of others. Everywhere
 * else job tokens are ignored (API doc, Authentication).
 */
export const AllowJobToken = (): MethodDecorator => SetMetadata(JOB_TOKEN_KEY, true);

export const PAGE_KEY = 'guildhall:page';

/**
 * Marks a page: it authenticates by the session cookie only, never by a token. Redirects anonymous
 * viewers to the sign-in page and back; responds with 404 to viewers who cannot see the page. Unsafe
 * requests need the CSRF token of the session's forms.
 */
export const Page = (ability: GlobalAbility): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(PAGE_KEY, true), SetMetadata(SCOPES_KEY, null), Ability(ability));

export const OPEN_FORM_KEY = 'guildhall:open-form';

/**
 * Marks a form that programs also send, without a cookie and without a CSRF token: its URL contains
 * the authorization.
 */
export const OpenForm = (): MethodDecorator => SetMetadata(OPEN_FORM_KEY, true);

export const FEED_KEY = 'guildhall:feed';

/** Name of the parameter with the token of a feed reader. */
export const FEED_TOKEN_PARAM = 'feed_token';

/**
 * Marks a page as a feed: it also accepts the feed token of a user, which no other route does, and
 * never redirects to the sign-in page.
 */
export const Feed = (): MethodDecorator => SetMetadata(FEED_KEY, true);
