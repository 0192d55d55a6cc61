/** A project that takes errors by one of its keys, and what it wants to be done about them. */
export interface ErrorSource {
  projectId: number;
  /** Null for test events, which use no key. */
  keyId: number | null;
  scrubData: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: readonly string[];
  safeFields: readonly string[];
  /** Days for which events are kept, the instance's where the project says nothing. */
  retentionDays: number;
}
