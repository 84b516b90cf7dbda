/* What Rust's standard library asks of bcryptprimitives.dll, in terms of a function that wine has. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    return RtlGenRandom(buffer, (ULONG)length);
}
