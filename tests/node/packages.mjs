// Loads packages from the folder that NODE_PACKAGES names, which lies outside the clone.

import { createRequire } from "node:module";
import path from "node:path";

const folder = path.resolve(process.env.NODE_PACKAGES);

export const require = createRequire(path.join(folder, "here.js"));

/** The path of a file inside an installed package. */
export const inPackage = (name, file) => path.join(folder, "node_modules", name, file);
