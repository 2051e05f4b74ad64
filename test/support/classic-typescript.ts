import { registerHooks } from 'node:module';

// Loaded before a tool that needs the programming interface of TypeScript 6, which TypeScript 7 does not have.
const classic = import.meta.resolve('@ts-morph/common').replace(/ts-morph-common\.js$/, 'typescript.js');
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? classic : specifier, context),
});
