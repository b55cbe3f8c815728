/** What each rule of `system-packages` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const SYSTEM_PACKAGES: Examples = {
  "cargo-select": {
    example: "error: failed to select a version for `cartlib`.",
    nearMiss: "please select a version for us",
  },
  "go-modules": {
    example: "cart.go:4:2: no required module provides package example.org/total; to add it:",
    nearMiss: "the module provides a package",
  },
  "jvm-artifacts": {
    example: "[ERROR] Could not resolve dependencies for project org.example:cart:jar:1.0",
    nearMiss: "we could not resolve the dispute",
  },
  "dotnet-packages": {
    example: "error NU1101: Unable to find package CartLib. No packages exist with this id",
    nearMiss: "the assembly of parts could not load",
  },
  "ruby-gems": {
    example: "Could not find gem 'cartlib' in locally installed gems.",
    nearMiss: "the gem was set in gold",
  },
  "php-perl-lua-packages": {
    example: "Can't locate Cart/Total.pm in @INC (you may need to install the Cart::Total module)",
    nearMiss: "we can't locate the cart in the shop",
  },
  "apt-packages": {
    example: "E: Unable to locate package cartlib",
    nearMiss: "unable to locate the shop",
  },
  "shared-library-missing": {
    example:
      "./cart: error while loading shared libraries: libtotal.so.2: cannot open shared object",
    nearMiss: "the shared libraries of the town",
  },
  "terraform-init": {
    example: "Error: Inconsistent dependency lock file",
    nearMiss: "the provider of plug sockets",
  },
  "build-dependency": {
    example: 'meson.build:2:0: ERROR: Dependency "libcart" not found, tried pkgconfig and cmake',
    nearMiss: "the driver of the cart was not found guilty",
  },
};
