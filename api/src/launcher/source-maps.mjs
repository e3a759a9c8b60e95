// Maps the errors of our own code to its sources. The maps of packages would only take memory.
import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(true, { nodeModules: false });
