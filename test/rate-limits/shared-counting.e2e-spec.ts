import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/core/clock.js';
import { ApplicationSetting } from '../../src/core/settings/application-settings.repository.js';
import { api } from '../support/api-client.js';
import type { OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor } from '../support/factories.js';
import { createHttpApp } from '../support/http-app.js';
import { FIXED_CLOCK, startLimitedApp, tallyOf } from './limited-app.js';

let app: OwnTestApp;
let peer: NestExpressApplication;
let urls: string[];
beforeAll(async () => {
  app = await startLimitedApp({ throttle_authenticated_api_requests_per_period: 40 });
  const moduleRef = await Test.createTestingModule({ imports: [AppModule.forRoot(app.config)] })
    .overrideProvider(Clock)
    .useValue(FIXED_CLOCK)
    .compile();
  peer = createHttpApp(moduleRef, app.config);
  await peer.listen(0, '127.0.0.1');
  urls = [app.url, await peer.getUrl()];
});
afterAll(async () => {
  await peer.close();
  await app.close();
});

function versionFrom(index: number, token: string): ReturnType<typeof send> {
  return send(urls[index % 2] ?? '', token);
}

async function send(url: string, token: string): Promise<{ status: number; observed: number }> {
  const { status, headers } = await api(url, token).get('/version');
  return { status, observed: Number(tallyOf(headers)['observed']) };
}

describe('two processes', () => {
  it('count the requests of a user together, one by one', async () => {
    const { token } = await makeActor(app);
    const observed: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      observed.push((await versionFrom(index, token)).observed);
    }
    expect(observed).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('let no more through than the limit allows, however many come at once', async () => {
    const { token } = await makeActor(app);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => versionFrom(index, token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    const served = answers.filter(({ status }) => status === 200).map(({ observed }) => observed);
    expect(served.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  it('follow a changed setting automatically', async () => {
    const { token } = await makeActor(app);
    await app.dataSource.manager.upsert(
      ApplicationSetting,
      { name: 'throttle_authenticated_api_requests_per_period', value: 1 },
      ['name'],
    );
    await eventually(async () => {
      const answers = await Promise.all([versionFrom(0, token), versionFrom(1, token)]);
      expect(answers.map(({ status }) => status)).toEqual([429, 429]);
    });
  });
});
