import { describe, expect, it } from '@jest/globals';
import { EnvReader } from './env-reader.js';
import { readIsTraced } from './services.js';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

describe('readIsTraced', () => {
  it('is false without an address', () => {
    expect(readIsTraced(new EnvReader({}))).toBe(false);
  });

  it.each(ENDPOINTS)('is true with %s, which must be a URL of HTTP', (name) => {
    expect(readIsTraced(new EnvReader({ [name]: 'http://collector:4318' }))).toBe(true);
    const reader = new EnvReader({ [name]: 'collector:4318' });
    readIsTraced(reader);
    expect(reader.errors).toEqual([`${name} must be a URL that starts with http:// or https://`]);
  });
});
