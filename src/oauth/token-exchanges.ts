import { credentialDigest } from '../core/digest.js';
import type { TokenPair } from './token-pair.js';
import type { IssuedToken } from './token-response.js';

/** A code with what has to fit it. */
export interface CodeExchangeRequest {
  code: string;
  applicationId: number;
  redirectUri: string;
  /** Challenge of the request's code_verifier; null without one. */
  challenge: string | null;
  /** True for public clients, whose only proof is a verifier. */
  needsProof: boolean;
  pair: TokenPair;
}

/** Outcome of a code exchange. Fields are null for a code that was never issued. */
export interface CodeExchange {
  grantId: number | null;
  userId: number;
  scopes: string[];
  nonce: string | null;
  authTime: Date;
  /** True if it was issued to this client. */
  isOwn: boolean;
  isUsed: boolean;
  isRevoked: boolean;
  isExpired: boolean;
  isRedirectSame: boolean;
  hasChallenge: boolean;
  isProven: boolean;
  /** True if its user is active. */
  mayAct: boolean;
  /** null = refused. */
  issued: IssuedToken | null;
}

/** A refresh token with what has to fit it. */
export interface RefreshRequest {
  refreshToken: string;
  /** null = a client that is no registered application. */
  applicationId: number | null;
  /** Narrower ones; null = as they are. */
  scopes: readonly string[] | null;
  redirectUri: string | null;
  /** Challenge of the request's code_verifier; null without one. */
  challenge: string | null;
  pair: TokenPair;
}

/** Outcome of a refresh. Fields are null for a token that was never issued. */
export interface Refresh {
  tokenId: number | null;
  userId: number;
  /** Scopes of the new token; when it is refused, those it would have had. */
  scopes: string[];
  grantedScopes: string[];
  authTime: Date | null;
  revokedAt: Date | null;
  isOwn: boolean;
  /** True if it was issued to a registered application. */
  hasApplication: boolean;
  isExpired: boolean;
  isRedirectSame: boolean;
  /** False only for a code_verifier that does not match the authorization's challenge. */
  isProven: boolean;
  isScopeWithin: boolean;
  mayAct: boolean;
  /** null = refused. */
  issued: IssuedToken | null;
}

/** The lists of EXCHANGE_SQL, in its order. */
export function exchangeColumns(requests: readonly CodeExchangeRequest[]): unknown[] {
  return [
    requests.map((_, index) => index),
    requests.map(({ code }) => credentialDigest(code)),
    requests.map(({ applicationId }) => applicationId),
    requests.map(({ redirectUri }) => redirectUri),
    requests.map(({ challenge }) => challenge),
    requests.map(({ needsProof }) => needsProof),
    ...pairColumns(requests),
  ];
}

/** The lists of REFRESH_SQL, in its order. */
export function refreshColumns(requests: readonly RefreshRequest[]): unknown[] {
  return [
    requests.map((_, index) => index),
    requests.map(({ refreshToken }) => credentialDigest(refreshToken)),
    requests.map(({ applicationId }) => applicationId),
    requests.map(({ scopes }) => scopes?.join(' ') ?? null),
    requests.map(({ redirectUri }) => redirectUri),
    requests.map(({ challenge }) => challenge),
    ...pairColumns(requests),
  ];
}

function pairColumns(requests: readonly { pair: TokenPair }[]): unknown[] {
  return [
    requests.map(({ pair }) => pair.digest),
    requests.map(({ pair }) => pair.lastFour),
    requests.map(({ pair }) => pair.refreshDigest),
  ];
}
