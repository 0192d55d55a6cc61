import { describe, expect, it } from '@jest/globals';
import type {
  PgNotifyListener,
  PgNotifySubscriber,
} from '../core/announcements/pg-notify-listener.service.js';
import type { Credential } from '../core/access/viewer.js';
import { CredentialCache } from './credential-cache.service.js';

const CREDENTIAL: Credential = {
  tokenId: 1,
  kind: 'personal',
  scopes: ['api'],
  expiresAt: null,
  revokedAt: null,
  projectId: null,
  applicationUid: null,
  createdAt: new Date(),
  user: {
    id: 7,
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    avatar: null,
    admin: false,
    external: false,
    state: 'active',
    userType: 'human',
    confirmed: true,
  },
};

function makeCache(): { cache: CredentialCache; channel: PgNotifySubscriber } {
  const channels = new Map<string, PgNotifySubscriber>();
  const announcements: Pick<PgNotifyListener, 'subscribe'> = {
    subscribe: (name, subscriber) => void channels.set(name, subscriber),
  };
  const cache = new CredentialCache(announcements as PgNotifyListener);
  return { cache, channel: channels.get('credentials') as PgNotifySubscriber };
}

describe('the cache of credentials', () => {
  it('keeps what was read while announcements arrive', () => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    cache.set('key', CREDENTIAL, cache.epoch);
    expect(cache.get('key')).toBe(CREDENTIAL);
  });

  it('keeps nothing that was read before announcements arrived again', () => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    channel.onDisconnect();
    const { epoch } = cache;
    channel.onConnect();
    cache.set('key', CREDENTIAL, epoch);
    expect(cache.get('key')).toBeUndefined();
  });

  it.each(['token:ff', 'user:8'])('keeps nothing that was read before %s was announced', (text) => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    const { epoch } = cache;
    channel.onMessage(text);
    cache.set('ff', CREDENTIAL, epoch);
    expect(cache.get('ff')).toBeUndefined();
  });

  it('keeps what was read while other tokens were announced', () => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    const { epoch } = cache;
    channel.onMessage('token:ff');
    cache.set('ee', CREDENTIAL, epoch);
    expect(cache.get('ee')).toBe(CREDENTIAL);
  });

  it('keeps nothing of before so many announcements that it cannot remember them', () => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    const { epoch } = cache;
    channel.onMessage('token:ff');
    for (let count = 0; count < 10_000; count++) channel.onMessage(`token:${count}`);
    cache.set('ff', CREDENTIAL, epoch);
    expect(cache.get('ff')).toBeUndefined();
  });
});
