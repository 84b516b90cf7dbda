import { expect, test } from "vitest";
import { pathsIn } from "./paths";

test("pasted paths lose what file managers put around them", () => {
  expect(pathsIn('  "D:\\My Projects\\a"\r\n\n/home/lin/b \n')).toEqual(["D:\\My Projects\\a", "/home/lin/b"]);
  expect(pathsIn("file:///home/lin/%E9%A1%B9%E7%9B%AE%20a")).toEqual(["/home/lin/项目 a"]);
  expect(pathsIn("file:///D:/Projects/a")).toEqual(["D:\\Projects\\a"]);
  expect(pathsIn("file:///broken%")).toEqual(["file:///broken%"]);
  expect(pathsIn("   ")).toEqual([]);
});
