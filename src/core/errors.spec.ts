import { describe, expect, it } from '@jest/globals';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { toUnavailableError } from './errors.js';

const withCode = (code: string): Error => Object.assign(new Error('refused'), { code });

describe('toUnavailableError', () => {
  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'timeout exceeded when trying to connect',
  ])('asks to come back when a connection was lost: %s', (message) => {
    const refusal = toUnavailableError(new Error(message));
    expect(refusal).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
  });

  it.each([new QueryRunnerAlreadyReleasedError(), new QueryRunnerProviderAlreadyReleasedError()])(
    'asks to come back when it was lost between two statements: %s',
    (error) => {
      expect(toUnavailableError(error)).toMatchObject({ status: 503 });
    },
  );

  it.each([
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '40P01',
    '25P03',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
  ])('asks to come back when the server is not there or others are in the way: %s', (code) => {
    expect(toUnavailableError(withCode(code))).toMatchObject({ status: 503 });
  });

  it.each(['28P01', '3D000', '55000', '57P05'])(
    'asks to come back when the server ends or refuses the session: %s',
    (code) => {
      const error = Object.assign(withCode(code), { severity: 'FATAL' });
      expect(toUnavailableError(error)).toMatchObject({ status: 503 });
      expect(toUnavailableError(Object.assign(error, { severity: 'ERROR' }))).toBeNull();
    },
  );

  it.each(['53100', '53200', '58030'])(
    'asks to come back in a minute when the database is out of disk space or memory: %s',
    (code) => {
      const refusal = { status: 503, headers: { 'Retry-After': '60' } };
      expect(toUnavailableError(withCode(code))).toMatchObject(refusal);
    },
  );

  it('explains a statement timeout', () => {
    expect(toUnavailableError(withCode('57014'))).toMatchObject({ status: 503 });
  });

  it('refuses values that cannot be stored', () => {
    expect(toUnavailableError(withCode('22003'))).toMatchObject({ status: 400 });
  });

  it('has no word for anything else', () => {
    expect(toUnavailableError(withCode('23505'))).toBeNull();
    expect(toUnavailableError(new Error('a bug'))).toBeNull();
    expect(toUnavailableError('Connection terminated unexpectedly')).toBeNull();
  });
});
