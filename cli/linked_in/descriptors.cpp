namespace google::protobuf::internal {
struct DescriptorTable;
}

// Code that protoc generated takes its descriptions apart when a program starts, which costs more than all else until
// `main`. protobuf does so by itself when one of them is asked for, which here only the text forms of models do. The
// linker gives this to the static initialisers in place of the constructor of AddDescriptorsRunner (--wrap).
extern "C" void __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(  // NOLINT
    void* runner, const google::protobuf::internal::DescriptorTable* table);
extern "C" void __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(  // NOLINT
    void*, const google::protobuf::internal::DescriptorTable*) {}
