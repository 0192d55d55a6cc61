import type { ClientKey } from '../client-key.entity.js';
import { dsnOf } from './dsn.js';

/** Client key of a project (API doc, Error tracking client key). */
export interface ClientKeyResponse {
  id: number;
  /** Marks keys that are accepted. */
  active: boolean;
  /** @example "glet_1f0f7b9d3f5b4f0d9c7d2a6e8b4c1a2d" */
  public_key: string;
  /**
   * DSN for SDKs.
   * @example "https://glet_1f0f7b9d3f5b4f0d9c7d2a6e8b4c1a2d@guildhall.example.com/api/v4/error_tracking/collector/42"
   */
  tracker_dsn: string;
}

/** Presents a client key: for maintainers only. */
export function presentClientKey(key: ClientKey, baseUrl: string): ClientKeyResponse {
  return {
    id: key.id,
    active: key.active,
    public_key: key.publicKey,
    tracker_dsn: dsnOf(key, baseUrl),
  };
}
