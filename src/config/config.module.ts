import { type DynamicModule, Module } from '@nestjs/common';
import { type Config, parseConfig } from './env.js';

/** Injection token of the process configuration: `@Inject(CONFIG) config: Config`. */
export const CONFIG = Symbol('CONFIG');

/** Makes the configuration injectable everywhere. */
@Module({})
export class ConfigModule {
  /** Uses the given configuration, else the one of the process environment. */
  static forRoot(config: Config = parseConfig(process.env)): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
