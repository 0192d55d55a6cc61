import type { ApplicationDetails, NewSecret } from './application-details.js';

/** OAuth application. */
export interface ApplicationResponse {
  /** ID for this API; not the `client_id`. */
  id: number;
  /**
   * The `client_id`.
   * @example "5e1a4c0d9b7f3862a4c0d9b7f38625e1a4c0d9b7f38625e1a4c0d9b7f38625e1"
   */
  application_id: string;
  /** @example "Timesheets" */
  application_name: string;
  /**
   * Redirect URIs, separated by line breaks.
   * @example "https://timesheets.example.com/callback"
   */
  callback_url: string;
  /** True if it can keep a secret; others must use PKCE. */
  confidential: boolean;
  /**
   * Scopes that it can request.
   * @example ["read_user", "openid"]
   */
  scopes: string[];
}

/** OAuth application with a new secret. */
export interface NewApplicationResponse extends ApplicationResponse {
  /**
   * The `client_secret`, shown only once.
   * @example "svcoas-0123456789abcdefghijklmnopqrstuv"
   */
  secret: string;
}

/** An application as administrators see it. */
export function presentApplication(application: ApplicationDetails): ApplicationResponse {
  return {
    id: application.id,
    application_id: application.uid,
    application_name: application.name,
    callback_url: application.redirectUris.join('\n'),
    confidential: application.confidential,
    scopes: application.scopes,
  };
}

/** The same with the secret: for the answer to its making only. */
export function presentNewApplication({ application, secret }: NewSecret): NewApplicationResponse {
  return Object.assign(presentApplication(application), { secret });
}
