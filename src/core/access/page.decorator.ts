import { applyDecorators, SetMetadata } from '@nestjs/common';
import { Ability, SCOPES_KEY, type GlobalAbility } from './access.decorator.js';

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
