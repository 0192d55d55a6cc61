/** Project that accepts errors with one of its keys, and its settings. */
export interface ErrorSource {
  projectId: number;
  /** Null for test events, which use no key. */
  keyId: number | null;
  scrubData: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: readonly string[];
  safeFields: readonly string[];
  /** Retention of events in days; the instance's by default. */
  retentionDays: number;
}
